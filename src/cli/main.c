#include <stdio.h>

#include <catmint/version.h>

int main(void)
{
    puts("catmint " CATMINT_VERSION);
    return 0;
}
