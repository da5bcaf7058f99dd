/* Small programs whose cycles are measured by the clock, and modelled. usage: kernels NAME TURNS REPETITIONS; prints
 * the cycles of a turn, of a chain of additions beside it: the fewest but a tenth of the repetitions, and the median.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"

enum { SMALL = 1024, MIDDLE = 24576, NODES = 512, MANY_NODES = 16384, ROWS = 48, WORDS = 4096 };

static double a[4 * MIDDLE], b[4 * MIDDLE], c[4 * MIDDLE];
static uint64_t w[1 << 18];
static uint32_t table[256];
static unsigned char bytes[1 << 16];
static struct node {
    struct node *next;
    uint64_t pad[7];
} nodes[MANY_NODES];
static uint64_t seed = 88172645463325252u;
static volatile uint64_t sink;
static volatile double fsink;

static uint64_t draw(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    return seed ^= seed << 17;
}

static void link_nodes(size_t count)
{
    static size_t order[MANY_NODES];
    for (size_t i = 0; i < count; i++)
        order[i] = i;
    for (size_t i = count - 1; i > 0; i--) {
        size_t j = draw() % i, kept = order[i];
        order[i] = order[j], order[j] = kept;
    }
    for (size_t i = 0; i < count; i++)
        nodes[order[i]].next = &nodes[order[(i + 1) % count]];
}

#define SUM(name, n)                                                                                                   \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        double s = 0;                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            s += a[i];                                                                                                 \
        fsink = s;                                                                                                     \
    }
SUM(sum, SMALL)
#define DOT(name, n)                                                                                                   \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        double s = 0, t = 0, u = 0, v = 0;                                                                             \
        for (size_t i = 0; i < n; i += 4)                                                                              \
            s += a[i] * b[i], t += a[i + 1] * b[i + 1], u += a[i + 2] * b[i + 2], v += a[i + 3] * b[i + 3];            \
        fsink = s + t + u + v;                                                                                         \
    }
DOT(dot, SMALL)
DOT(dot_l2, MIDDLE)
#define AXPY(name, n)                                                                                                  \
    static void name(void)                                                                                             \
    {                                                                                                                  \
        for (size_t i = 0; i < n; i++)                                                                                 \
            c[i] = a[i] * 1.5 + b[i];                                                                                  \
        sink += c[7] > 0;                                                                                              \
    }
AXPY(axpy, SMALL) AXPY(axpy_l2, MIDDLE) static void horner(void)
{
    double s = 0;
    for (size_t i = 0; i < SMALL; i++) {
        double x = a[i];
        s += ((((x * .1 + .2) * x + .3) * x + .4) * x + .5) * x;
    }
    fsink = s;
}
static void divide(void)
{
    double s = 1e300;
    for (size_t i = 0; i < SMALL; i++)
        s /= b[i];
    fsink = s;
}
static void divide_all(void)
{
    for (size_t i = 0; i < SMALL; i++)
        c[i] = a[i] / b[i];
}
static void root(void)
{
    for (size_t i = 0; i < SMALL; i++)
        c[i] = sqrt(b[i]);
}
static void matrix(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            double s = 0;
            for (int k = 0; k < ROWS; k++)
                s += a[i * ROWS + k] * b[k * ROWS + j];
            c[i * ROWS + j] = s;
        }
}
static void matrix_rows(void)
{
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < ROWS; k++) {
            double x = a[i * ROWS + k];
            for (int j = 0; j < ROWS; j++)
                c[i * ROWS + j] += x * b[k * ROWS + j];
        }
}
static void stencil(void)
{
    for (size_t i = 1; i < SMALL - 1; i++)
        c[i] = .25 * a[i - 1] + .5 * a[i] + .25 * a[i + 1];
}
static void chase(void)
{
    struct node *at = nodes;
    for (int i = 0; i < NODES; i++)
        at = at->next;
    sink = (uintptr_t)at;
}
static void chase_l2(void)
{
    struct node *at = nodes;
    for (int i = 0; i < MANY_NODES; i++)
        at = at->next;
    sink = (uintptr_t)at;
}
static void gather(void)
{
    uint64_t s = 0, x = 1;
    for (int i = 0; i < WORDS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        s += w[x >> 50];
    }
    sink = s;
}
static void gather_l2(void)
{
    uint64_t s = 0, x = 1;
    for (int i = 0; i < WORDS; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        s += w[x >> 47];
    }
    sink = s;
}
static void branches(void)
{
    uint64_t s = 0;
    for (int i = 0; i < WORDS; i++)
        if (draw() & 1)
            s += (uint64_t)i;
        else
            s ^= sink;
    sink = s;
}
static void search(void)
{
    uint64_t s = 0;
    for (int i = 0; i < 256; i++) {
        uint64_t key = draw() >> 44;
        size_t low = 0, high = WORDS;
        while (low < high) {
            size_t middle = (low + high) / 2;
            if ((uint64_t)middle * 256 < key)
                low = middle + 1;
            else
                high = middle;
        }
        s += low;
    }
    sink = s;
}
static void insertion(void)
{
    uint64_t v[64];
    for (int i = 0; i < 64; i++)
        v[i] = draw();
    for (int i = 1; i < 64; i++) {
        uint64_t x = v[i];
        int j = i;
        for (; j > 0 && v[j - 1] > x; j--)
            v[j] = v[j - 1];
        v[j] = x;
    }
    sink = v[3];
}
static void sieve(void)
{
    memset(bytes, 0, 8192);
    for (int i = 2; i < 8192; i++)
        if (!bytes[i])
            for (int j = 2 * i; j < 8192; j += i)
                bytes[j] = 1;
}
static void crc(void)
{
    uint32_t s = 0;
    for (int i = 0; i < WORDS; i++)
        s = table[(s ^ bytes[i]) & 255] ^ s >> 8;
    sink = s;
}
static __attribute__((noinline)) uint64_t fib(unsigned n)
{
    return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
static void recursion(void)
{
    sink = fib(sink % 2 + 16);
}
static void collatz(void)
{
    uint64_t s = 0;
    for (uint64_t i = 1; i < 200; i++)
        for (uint64_t x = i; x != 1; s++)
            x = x & 1 ? 3 * x + 1 : x / 2;
    sink = s;
}
static void interpret(void)
{
    uint64_t x = 1, y = 2;
    for (int i = 0; i < WORDS; i++)
        switch (bytes[i] & 7) {
        case 0: x += y; break;
        case 1: y ^= x; break;
        case 2: x -= 3; break;
        case 3: y <<= 1; break;
        case 4: x *= 5; break;
        case 5: y -= x; break;
        case 6: x >>= 2; break;
        default: y++;
        }
    sink = x + y;
}
static void remainders(void)
{
    uint64_t s = 0;
    for (uint32_t i = 1; i < 512; i++)
        s += (uint32_t)(1000003u * i) % (i + (uint32_t)(sink & 1));
    sink = s;
}
static void mandelbrot(void)
{
    int s = 0;
    for (int i = 0; i < 64; i++) {
        double x = 0, y = 0, u = i / 32. - 1.5;
        for (int k = 0; k < 40 && x * x + y * y < 4; k++, s++) {
            double t = x * x - y * y + u;
            y = 2 * x * y + .3;
            x = t;
        }
    }
    sink = (uint64_t)s;
}
static void bodies(void)
{
    for (int i = 0; i < 32; i++) {
        double s = 0;
        for (int j = 0; j < 32; j++) {
            double d = a[i] - b[j] + .01;
            s += d / sqrt(d * d + .1);
        }
        c[i] = s;
    }
}
static void histogram(void)
{
    static uint32_t bins[256];
    for (int i = 0; i < WORDS; i++)
        bins[bytes[i]]++;
    sink = bins[3];
}
static void text(void)
{
    uint64_t words = 0;
    int in = 0;
    for (int i = 0; i < WORDS; i++) {
        int is = bytes[i] > 40;
        words += (uint64_t)(is && !in);
        in = is;
    }
    sink = words;
}
static void stream(void)
{
    uint64_t s = 0;
    for (size_t i = 0; i < sizeof w / sizeof w[0]; i++)
        s += w[i];
    sink = s;
}

static const struct {
    const char *name;
    void (*run)(void);
    size_t nodes;
} all[] = {{"sum", sum, 0},
           {"dot", dot, 0},
           {"dot_l2", dot_l2, 0},
           {"axpy", axpy, 0},
           {"axpy_l2", axpy_l2, 0},
           {"horner", horner, 0},
           {"divide", divide, 0},
           {"divide_all", divide_all, 0},
           {"root", root, 0},
           {"matrix", matrix, 0},
           {"matrix_rows", matrix_rows, 0},
           {"stencil", stencil, 0},
           {"chase", chase, NODES},
           {"chase_l2", chase_l2, MANY_NODES},
           {"gather", gather, 0},
           {"gather_l2", gather_l2, 0},
           {"branches", branches, 0},
           {"search", search, 0},
           {"insertion", insertion, 0},
           {"sieve", sieve, 0},
           {"crc", crc, 0},
           {"recursion", recursion, 0},
           {"collatz", collatz, 0},
           {"interpret", interpret, 0},
           {"remainders", remainders, 0},
           {"mandelbrot", mandelbrot, 0},
           {"bodies", bodies, 0},
           {"histogram", histogram, 0},
           {"text", text, 0},
           {"stream", stream, 0}};

static void fill(size_t count)
{
    for (size_t i = 0; i < 4 * MIDDLE; i++)
        a[i] = (double)(draw() % 1000) / 999, b[i] = 1 + (double)(draw() % 1000) / 1e5;
    for (size_t i = 0; i < sizeof w / sizeof w[0]; i++)
        w[i] = draw();
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)draw();
    for (size_t i = 0; i < 256; i++)
        table[i] = (uint32_t)draw();
    link_nodes(count != 0 ? count : NODES);
}

static void run_turns(const void *what, long turns)
{
    void (*const *run)(void) = what;
    for (long turn = 0; turn < turns; turn++)
        (*run)();
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            puts(all[i].name);
        return argc != 1;
    }
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        if (strcmp(all[i].name, argv[1]) != 0)
            continue;
        fill(all[i].nodes);
        print_cycles(run_turns, &all[i].run, atol(argv[2]), atol(argv[3]));
    }
    return 0;
}
