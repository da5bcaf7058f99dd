/* Feeds files to a fuzz target, for compilers without libFuzzer. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int main(int argc, char **argv)
{
    static uint8_t data[1 << 20];
    for (int i = 1; i < argc; i++) {
        FILE *file = fopen(argv[i], "rb");
        if (file == NULL) {
            perror(argv[i]);
            return EXIT_FAILURE;
        }
        size_t size = fread(data, 1, sizeof data, file);
        fclose(file);
        /* Each beginning of it is an input too. */
        for (size_t length = 0; length <= size; length++)
            LLVMFuzzerTestOneInput(data, length);
        printf("%s: %zu inputs\n", argv[i], size + 1);
    }
    return argc > 1 ? EXIT_SUCCESS : EXIT_FAILURE;
}
