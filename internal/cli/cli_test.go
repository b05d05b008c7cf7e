package cli_test

import (
	"context"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"docpin/internal/cli"
)

// asDocpin makes the test binary run as docpin, for tests that start processes themselves.
const asDocpin = "DOCPIN_TEST_BINARY_IS_DOCPIN"

func TestMain(m *testing.M) {
	if os.Getenv(asDocpin) != "" {
		os.Exit(cli.Main())
	}
	testscript.Main(m, map[string]func(){
		"docpin": func() {
			os.Exit(cli.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", RequireUniqueNames: true, RequireExplicitExec: true})
}
