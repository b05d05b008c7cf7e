package builder

// NewTemporary is for tests that hold one.
var NewTemporary = newTemporary
