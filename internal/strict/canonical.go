package strict

// CloseObject ends an object of canonical JSON whose members, each with a comma before it, begin at start.
func CloseObject(dst []byte, start int) []byte { return closeWith(dst, start, '{', '}') }

// CloseArray ends an array of canonical JSON whose items, each with a comma before it, begin at start.
func CloseArray(dst []byte, start int) []byte { return closeWith(dst, start, '[', ']') }

func closeWith(dst []byte, start int, opening, closing byte) []byte {
	if len(dst) == start {
		return append(dst, opening, closing)
	}
	dst[start] = opening
	return append(dst, closing)
}
