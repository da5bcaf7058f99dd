#!/bin/sh
# run.sh EXIT PROGRAM ARGUMENTS...: the program ends with EXIT, and valgrind finds nothing in it.
set -u
expected=$1
shift
command -v valgrind >/dev/null || {
    echo "skipped: valgrind is not installed"
    exit 77
}
valgrind --quiet --error-exitcode=9 --leak-check=full "$@"
status=$?
[ "$status" -eq "$expected" ] || {
    echo "exit $status, expected $expected"
    exit 1
}
