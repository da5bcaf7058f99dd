#!/bin/sh
# symbols.sh LIBRARY HEADERS...: the library shows every function that the public headers declare, and nothing else.
set -eu
library=$1
shift

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
nm -D --defined-only "$library" | awk '{ print $3 }' | sort >"$folder/shown"
for headers; do cat "$headers"/*.h; done | grep -v '^#' | tr '\n' ' ' | grep -o 'CM_API [^(;]*(' | sed 's/.*[ *]\([a-z_0-9]*\)($/\1/' | sort >"$folder/declared"
if ! [ -s "$folder/declared" ] || ! diff -u "$folder/declared" "$folder/shown"; then
    echo "the names above are declared and not shown (-), or shown and not declared (+)"
    exit 1
fi
