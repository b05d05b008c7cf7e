package record

import (
	"strings"

	"docpin/internal/corpus"
	"docpin/internal/outputs"
)

// CheckOutput returns an error if a recording can't be written to a file, or the file is one that the server's command
// names, or the lock of one. It makes the file if there is none.
func CheckOutput(name string, command []string) error {
	for _, arg := range command {
		if _, value, ok := strings.Cut(arg, "="); ok {
			arg = value
		}
		uses := []outputs.Use{{Path: arg, As: "a file of the server's"}}
		if strings.HasSuffix(arg, corpus.Ext) {
			uses = append(uses, outputs.Use{Path: corpus.LockPath(arg), As: "the lock of a file of the server's"})
		}
		if err := outputs.CheckApart("output", name, uses...); err != nil {
			return err
		}
	}
	return outputs.CheckWritable("output", name)
}
