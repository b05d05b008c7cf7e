package show

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

// FlagError says what a flag's value should have been, where pflag says which function of Go has refused it. Other errors
// it returns as they are.
func FlagError(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	want := "a value of another form"
	switch invalid.GetFlag().Value.Type() {
	case "int", "int64":
		want = "an integer of at most 18 digits"
	case "bool":
		want = "true or false"
	case "duration":
		want = "a duration such as 30s"
	}
	return fmt.Errorf("--%s is %q; want %s", invalid.GetFlag().Name, invalid.GetValue(), want)
}
