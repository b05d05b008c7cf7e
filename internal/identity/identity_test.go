package identity_test

import (
	"testing"

	"docpin/gen"
	"docpin/internal/digest"
	"docpin/internal/identity"
)

// observed is a corpus_id that an earlier implementation answered from; the digests below came out there too.
const observed = gen.Digest("0615d22a3315e97c0a88c6c566c546877304f5a28a97e83f68dd36881d4bbd0e")

func TestSearchRequest(t *testing.T) {
	python := gen.Library("python")
	const results, stubs, bodies = identity.DefaultFormat, gen.SearchDocumentationArgumentsFormatStubs, gen.SearchDocumentationArgumentsFormatBodies
	tests := []struct {
		query, version string
		library        *gen.Library
		format         gen.SearchDocumentationArgumentsFormat
		maxBytes       *int
		want           string
	}{
		{"text", "3.12", nil, results, nil, "3f33383e706e36449e22c380704d880d5e2b8a4b1f6b779b8aa54206e072ad5f"},
		{"zzunmatched", "3.12", nil, results, nil, "0afcd01a3dd4e765c4bab273c25d4239de4d71369b989bbbe25e1e270ef07647"},
		{"text", "9.99", nil, results, nil, "fefe356a697d65ea81980cd228d12ddde25c3d62fe8a4badbaafc3f385052d97"},
		{"read", "3.13", nil, results, nil, "6644a5007738d93bc51c8c2dc73d8e6d2aa86c6bfa01c1b87cd40d994ff93be0"},
		{"text", "3.12", &python, results, nil, "7781e521e159fdf1a2476761fd525ed29e8e71478f1c2e0a5cfda1a79c0dc81c"},
		{"text", "3.12", nil, stubs, nil, "9dc3e6d5c0f1e27729ee35ef92b6aec413ec50fb087ab23555b2543ed307fc24"},
		{"text", "3.12", nil, bodies, new(32768), "b23993566bcc0eae1b3ff6815be1f65eaf037088579cd25573d7fdbf010c12ff"},
		{"text", "3.12", nil, results, new(identity.DefaultMaxBytes), "3f33383e706e36449e22c380704d880d5e2b8a4b1f6b779b8aa54206e072ad5f"},
	}
	for _, tt := range tests {
		a := gen.SearchDocumentationArguments{
			Query: gen.Query(tt.query), Version: gen.Version(tt.version), K: 2, Library: tt.library, Format: tt.format, MaxBytes: tt.maxBytes,
		}
		if got := identity.SearchRequest(observed, a).String(); got != tt.want {
			t.Errorf("SearchRequest(%q, %q, library %v) = %s, want %s", tt.query, tt.version, tt.library, got, tt.want)
		}
	}
}

// A cursor enters the digest.
func TestSearchRequestCursor(t *testing.T) {
	a := gen.SearchDocumentationArguments{Query: "text", Version: "3.12", K: 2, Format: identity.DefaultFormat}
	first := identity.SearchRequest(observed, a)
	a.Cursor = new("AAAA")
	if got := identity.SearchRequest(observed, a); got == first || got != digest.Of([]byte(`{"corpus_id":"`+string(observed)+`","cursor":"AAAA","k":2,"query":"text","version":"3.12"}`)) {
		t.Errorf("SearchRequest with a cursor = %s, without %s", got, first)
	}
}

func TestReadRequest(t *testing.T) {
	got := identity.ReadRequest("3f33383e706e36449e22c380704d880d5e2b8a4b1f6b779b8aa54206e072ad5f", "72abbf5e0022ef780447ed8c2322b711cac8b4971d817a440bc02dfa28b07124")
	const want = "b2ce4d1e809a197df6c864261264b583737b1f41c59f8a4b6e353911b84c5bfe"
	if got.String() != want {
		t.Errorf("ReadRequest = %s, want %s", got, want)
	}
}
