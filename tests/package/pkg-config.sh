#!/bin/sh
# pkg-config.sh LIBDIR SOURCE PROGRAM CC [FLAGS]: builds one file against the installed package, with nothing but
# pkg-config, and runs it.
set -eu
libdir=$1
# shellcheck disable=SC2034 # what is evaluated below uses it
source=$2
program=$3
shift 3

PKG_CONFIG_PATH=$libdir/pkgconfig
export PKG_CONFIG_PATH
# What pkg-config says is quoted for the shell, for the case of a folder with a space in its name.
options=$(pkg-config --cflags --libs catmint-machines)
eval "set -- \"\$@\" -std=c17 -o \"\$program\" \"\$source\" $options"
"$@" "-Wl,-rpath,$libdir"
"$program"
