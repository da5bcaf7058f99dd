/* What the fuzz targets share. Readers take paths: an input, or each part of it, becomes a file in memory. */
#ifndef CATMINT_FUZZ_H
#define CATMINT_FUZZ_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <catmint/error.h>

/* A promise that an input has broken: the fuzzer keeps the input. */
#define FUZZ_EXPECT(promise)                                                                                           \
    do {                                                                                                               \
        if (!(promise))                                                                                                \
            fuzz_fail(__FILE__, __LINE__, #promise);                                                                   \
    } while (0)
_Noreturn void fuzz_fail(const char *file, int line, const char *promise);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Part of an input that stands for several files: lines of four equals signs part them. */
#define FUZZ_BETWEEN "====\n"
enum { FUZZ_MOST_PARTS = 16 };
typedef struct fuzz_part {
    const uint8_t *data;
    size_t size;
} fuzz_part;

/* How many there are, 1 at least and `most` at most, the last of which has all the rest; those up to `most` are
 * empty. */
size_t fuzz_split(const uint8_t *data, size_t size, size_t most, fuzz_part *parts);

enum { FUZZ_FILES = 8 };
/* The path of the file number `slot`, which has this content until the next call for that number. */
const char *fuzz_file(size_t slot, const void *data, size_t size);

/* The path of a file or directory beneath this process' own directory; "" is that directory. It lives until the eighth
 * call after this one. */
const char *fuzz_path(const char *name);
/* Makes a directory there, or empties it of its files. */
void fuzz_directory(const char *name);
/* Writes a file there; returns its path. */
const char *fuzz_put(const char *name, const void *data, size_t size);

/* FNV-1a, 64 bits: the checksum of journals and manifests. */
uint64_t fuzz_checksum(const void *data, size_t size);

/* What a reader says of a bad file: CM_BAD_INPUT, with words. */
void fuzz_expect_refusal(cm_status status, const cm_error *error);

/* A stream into memory, empty; one at a time. fuzz_written ends it, and gives its text, which lives until the next. */
FILE *fuzz_stream(void);
const char *fuzz_written(size_t *size);

#endif
