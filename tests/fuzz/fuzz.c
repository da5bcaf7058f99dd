#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

void fuzz_fail(const char *file, int line, const char *promise)
{
    fprintf(stderr, "%s:%d: broken: %s\n", file, line, promise);
    abort();
}

size_t fuzz_split(const uint8_t *data, size_t size, size_t most, fuzz_part *parts)
{
    static const char between[] = FUZZ_BETWEEN;
    size_t count = 0;
    while (count + 1 < most) {
        const uint8_t *found = memmem(data, size, between, sizeof between - 1);
        if (found == NULL)
            break;
        parts[count++] = (fuzz_part){data, (size_t)(found - data)};
        size -= (size_t)(found - data) + sizeof between - 1;
        data = found + sizeof between - 1;
    }
    parts[count++] = (fuzz_part){data, size};
    for (size_t i = count; i < most; i++)
        parts[i] = (fuzz_part){data + size, 0};
    return count;
}

static bool fill(int file, const void *data, size_t size)
{
    return ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size;
}

const char *fuzz_file(size_t slot, const void *data, size_t size)
{
    static int files[FUZZ_FILES];
    static char paths[FUZZ_FILES][64];
    if (files[slot] == 0) {
        files[slot] = memfd_create("input", MFD_CLOEXEC);
        snprintf(paths[slot], sizeof paths[slot], "/proc/self/fd/%d", files[slot]);
    }
    FUZZ_EXPECT(files[slot] > 0 && fill(files[slot], data, size));
    return paths[slot];
}

/* ---- the process' own directory ---- */

static char root[64];

static void remove_all(const char *path, int depth)
{
    char inner[4096];
    DIR *directory = opendir(path);
    for (const struct dirent *entry; directory != NULL && (entry = readdir(directory)) != NULL;) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        snprintf(inner, sizeof inner, "%s/%s", path, entry->d_name);
        if (unlink(inner) != 0 && depth < 4)
            remove_all(inner, depth + 1);
    }
    if (directory != NULL)
        closedir(directory);
    if (depth > 0)
        rmdir(path);
}

static void remove_root(void)
{
    remove_all(root, 1);
}

const char *fuzz_path(const char *name)
{
    static char paths[8][256];
    static size_t next;
    if (root[0] == '\0') {
        snprintf(root, sizeof root, "%s/catmint-fuzz-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        FUZZ_EXPECT(mkdtemp(root) != NULL && atexit(remove_root) == 0);
    }
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s%s%s", root, name[0] != '\0' ? "/" : "", name);
    return path;
}

void fuzz_directory(const char *name)
{
    const char *path = fuzz_path(name);
    if (mkdir(path, 0777) == 0)
        return;
    FUZZ_EXPECT(errno == EEXIST);
    remove_all(path, 0);
}

const char *fuzz_put(const char *name, const void *data, size_t size)
{
    const char *path = fuzz_path(name);
    int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    FUZZ_EXPECT(file >= 0 && fill(file, data, size));
    close(file);
    return path;
}

/* ---- what is read and written ---- */

uint64_t fuzz_checksum(const void *data, size_t size)
{
    uint64_t sum = 0xcbf29ce484222325u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ ((const uint8_t *)data)[i]) * 0x100000001b3u;
    return sum;
}

void fuzz_expect_refusal(cm_status status, const cm_error *error)
{
    if (status != CM_BAD_INPUT || error->text[0] == '\0')
        fprintf(stderr, "status %d: %s:%zu: %s\n", (int)status, error->file, error->line, error->text);
    FUZZ_EXPECT(status == CM_BAD_INPUT && error->status == status && error->text[0] != '\0');
}

static FILE *stream;
static char *text;
static size_t length;

FILE *fuzz_stream(void)
{
    free(text);
    text = NULL;
    stream = open_memstream(&text, &length);
    FUZZ_EXPECT(stream != NULL);
    return stream;
}

const char *fuzz_written(size_t *size)
{
    FUZZ_EXPECT(fclose(stream) == 0);
    *size = length;
    return text;
}
