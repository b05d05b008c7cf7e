package show

import (
	"encoding/json"
	"io"
)

// Indented prints v as JSON for people and programs.
func Indented(w io.Writer, v any) error {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return JSON(w, b)
}

// JSON prints a JSON text as a line.
func JSON(w io.Writer, b []byte) error {
	_, err := w.Write(append(b, '\n'))
	return err
}
