# docpin: build, test and check. Everything here runs in a fresh clone with Go and a C compiler (for -race) installed.

GO      ?= go
BIN     := bin/docpin
export CGO_ENABLED ?= 1

.PHONY: build run test check format vet staticcheck drift race cross generate clean

build:
	@mkdir -p bin
	CGO_ENABLED=0 $(GO) build -trimpath -o $(BIN) ./cmd/docpin

# The main job: a client starts the server as a child, searches the embedded corpus, reads, and checks every answer.
run: build
	$(BIN) record --output bin/session.json
	$(BIN) verify bin/session.json

test:
	$(GO) test -shuffle=on ./...

# All that must hold before a change lands.
check: format vet staticcheck drift cross race

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
	$(GO) test -race -shuffle=on ./...

cross:
	CGO_ENABLED=0 GOOS=darwin GOARCH=arm64 $(GO) build -o /dev/null ./cmd/docpin
	CGO_ENABLED=0 GOOS=windows GOARCH=amd64 $(GO) build -o /dev/null ./cmd/docpin

# Rewrites gen/ and the embedded corpus from schema/ and corpus/.
generate:
	$(GO) generate ./...

clean:
	rm -rf bin
