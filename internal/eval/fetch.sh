#!/bin/sh
# fetch.sh DIR: fetches the documentation that the golden queries ask, at the versions of corpora.txt, into DIR/c, one folder
# NAME@VERSION each, and Go's own into DIR/go. It wants apt-get on Debian 12, npm and go, and installs nothing. What is in
# DIR already is not fetched again.
set -eu
[ $# = 1 ] || { echo "usage: fetch.sh DIR" >&2; exit 2; }
list=$(cd "$(dirname "$0")" && pwd)/corpora.txt
mkdir -p "$1"
dir=$(cd "$1" && pwd)
mkdir -p "$dir/downloads" "$dir/c" "$dir/go"
work=$dir/unpacked
trap 'rm -rf "$work"' EXIT

# Pages that list what others define are what the golden queries were made of: they are no part of a corpus.
lists='genindex*.html py-modindex.html np-modindex.html bookindex.html keyword_index.html doc_*_crossref.html doclist.html sitemap.html'
top='search contents session syntaxdiagrams fileformat oldnews capi3ref'

# documentation FROM TO NAMED: copies the pages under FROM to TO, unpacked and without links, of all or only those NAMED so.
documentation() {
	rm -rf "$2.part"
	mkdir -p "$2.part"
	(cd "$1" && find -L . \( -name _static -o -name _sources \) -prune -o -type f \
		\( -name '*.html' -o -name '*.html.gz' -o -name '*.md' -o -name '*.md.gz' -o -name '*.mdx' \) -name "${3:-*}" -print0 |
		xargs -0 cp -L --parents -t "$2.part")
	find "$2.part" -name '*.gz' -exec gunzip -f {} +
	for name in $lists; do find "$2.part" -name "$name" -delete; done
	for name in $top; do rm -f "$2.part/$name.html"; done
	rm -rf "$2.part"/matrix* "$2.part/all.md"
	find "$2.part" -type d -empty -delete
	mv "$2.part" "$2"
}

# checked FILE SHA256
checked() {
	echo "$2  $1" | sha256sum -c --quiet - || { echo "fetch.sh: error: $1 is not the file of corpora.txt" >&2; exit 1; }
}

grep -v '^#' "$list" | while read -r how package version sum name from named; do
	to=$dir/c/$name
	[ "$package" != golang.org/toolchain ] || to=$dir/go/${name#go@}
	[ ! -e "$to" ] || continue
	echo "$name: $package $version" >&2
	rm -rf "$work"
	mkdir -p "$work"
	case $how in
	deb)
		file=$dir/downloads/${package}_$(echo "$version" | sed 's/:/%3a/')_all.deb
		[ -e "$file" ] || (cd "$dir/downloads" && apt-get download -qq "$package=$version")
		checked "$file" "$sum"
		dpkg-deb -x "$file" "$work"
		documentation "$work/$from" "$to" "$named"
		;;
	npm)
		file=$dir/downloads/$(echo "$package" | sed 's/^@//; s|/|-|')-$version.tgz
		[ -e "$file" ] || npm pack --silent --ignore-scripts --pack-destination "$dir/downloads" "$package@$version" >/dev/null </dev/null
		checked "$file" "$sum"
		tar -xzf "$file" -C "$work"
		documentation "$work/package/$from" "$to" "$named"
		;;
	go)
		module=$(cd "$work" && GOFLAGS=-mod=mod GOTOOLCHAIN=local go mod download -json "$package@$version" </dev/null | sed -n 's/.*"Dir": "\(.*\)".*/\1/p')
		if [ "$to" = "$dir/c/$name" ]; then
			documentation "$module/$from" "$to" "$named"
		else
			mkdir -p "$to.part"
			cp -R "$module/$from" "$to.part/src"
			chmod -R u+w "$to.part"
			mv "$to.part" "$to"
		fi
		;;
	esac
done

# Go 1.26 is the one that is installed: its source, and the pages that a toolchain module lacks.
root=$(GOTOOLCHAIN=local go env GOROOT)
case $(GOTOOLCHAIN=local go env GOVERSION) in
go1.26*) ;;
*) echo "fetch.sh: error: the golden queries ask Go 1.26; go is $(GOTOOLCHAIN=local go env GOVERSION)" >&2 && exit 1 ;;
esac
if [ ! -e "$dir/go/1.26" ]; then
	rm -rf "$dir/go/1.26.part"
	mkdir -p "$dir/go/1.26.part/pages/doc"
	cp -RL "$root/src" "$dir/go/1.26.part/src"
	cp "$root"/doc/*.html "$dir/go/1.26.part/pages/doc"
	mv "$dir/go/1.26.part" "$dir/go/1.26"
fi
