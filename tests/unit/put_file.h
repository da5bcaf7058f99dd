/* Files below a directory, for tests of what is read from many small ones. */
#ifndef CM_TESTS_PUT_FILE_H
#define CM_TESTS_PUT_FILE_H

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Makes the directories of the path, too. */
static void put_file(const char *root, const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *at = whole + strlen(root) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        mkdir(whole, 0777);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

#endif
