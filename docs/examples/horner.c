/* A million multiplications and a million additions in double precision, each of which waits for the one before. */
#include <stdio.h>

int main(int argc, char **argv)
{
    double x = argc;
    (void)argv;
    for (int i = 0; i < 1000000; i++)
        x = 0.75 * x + 0.125;
    printf("%g\n", x);
    return 0;
}
