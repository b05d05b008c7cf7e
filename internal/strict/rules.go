package strict

// MaxMembers is how many members an object schema can have: one bit each in a word.
const MaxMembers = 64

// MaxNesting is how deep objects and arrays of a schema can nest.
const MaxNesting = 8

// Object is the rule of a closed object.
type Object struct {
	Members  []Member // ordered by name, at most [MaxMembers]
	Required uint64   // bit i is set if Members[i] must be present

	// MinMembers and MaxMembers bound the number of members; zero means no bound.
	MinMembers, MaxMembers int
}

// Member is one member of an object.
type Member struct {
	Name    string
	About   string  // what it holds, for the message that it is missing
	Default string  // JSON text of the default of an optional member, or empty
	Object  *Object // the rule of a member that is an object, or nil
	String  *String // the rule of a member that is a string, or nil
}

// String is the rule of a string. Lengths are in Unicode code points.
type String struct {
	MinLength, MaxLength int
	Enum                 []string          // the values allowed; nil for any
	Pattern              string            // regular expression, or empty
	Match                func(string) bool // reports whether a string matches Pattern
	About                string            // what the string is, for the message that it does not match
}

// Integer is the rule of an integer: its bounds, both inclusive.
type Integer struct{ Min, Max int64 }

// Array is the rule of an array: how many items it has.
type Array struct{ MinItems, MaxItems int }
