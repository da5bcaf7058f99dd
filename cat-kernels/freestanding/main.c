/* Runs each kernel with CM_TURNS and with twice as many turns, CM_REPETITIONS times, for each set of events that the
 * counters hold at once, and prints the counts. `catmint import --console` reads that.
 *
 * A line is "catmint", its number, its text, "*" and a checksum of number and text. Counts are differences
 * modulo 2^32, in hexadecimal digits. */
#include "config.h"
#include "harness.h"

#define KERNEL(benchmark, name, symbol) extern cm_body symbol;
#include "kernels.h"
#undef KERNEL

static const struct {
    const char *benchmark, *name;
    cm_body *run;
} kernels[] = {
#define KERNEL(benchmark, name, symbol) {benchmark, name, symbol},
#include "kernels.h"
};

/* Ends with an event without a name. */
static const struct {
    const char *name;
    uintptr_t value;
} events[] = {
#define EVENT(name, value) {name, value},
#include "events.h"
    {0, 0},
};

static const char *const fixed[CM_FIXED] = {CM_FIXED_NAMES};
static cm_kernel_data data = {12345, 0};
static uint32_t counts[2 * (CM_FIXED + CM_COUNTERS)];
static unsigned line, sum;

static void put_character(char character)
{
    sum = (sum * 31 + (unsigned char)character) & 0xffff;
    cm_put(character);
}

static void put_text(const char *text)
{
    while (*text != '\0')
        put_character(*text++);
}

static void put_word(const char *text)
{
    put_character(' ');
    put_text(text);
}

/* Prints a blank and a number without leading zeros. */
static void put_hexadecimal(uint32_t value)
{
    unsigned shift = 28;
    put_character(' ');
    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    for (;; shift -= 4) {
        put_character("0123456789abcdef"[value >> shift & 15]);
        if (shift == 0)
            return;
    }
}

static void begin_line(const char *word)
{
    put_text("catmint");
    sum = 0;
    put_hexadecimal(line++);
    put_word(word);
}

static void end_line(void)
{
    uint32_t found = sum;
    put_word("*");
    put_hexadecimal(found);
    put_character('\n');
}

static void put_kernel(const char *word, unsigned kernel)
{
    begin_line(word);
    put_word(kernels[kernel].benchmark);
    put_word(kernels[kernel].name);
}

/* Runs a kernel and prints the counts of the first `count` counters. */
static void measure_kernel(unsigned kernel, uintptr_t turns, unsigned count)
{
    cm_measure(kernels[kernel].run, turns, &data, counts);
    put_kernel("count", kernel);
    put_hexadecimal((uint32_t)turns);
    for (unsigned i = 0; i < CM_FIXED + count; i++)
        put_hexadecimal(counts[CM_FIXED + CM_COUNTERS + i] - counts[i]);
    end_line();
}

/* Whether the kernel runs here; the first run also warms caches and predictors. */
static int try_kernel(unsigned kernel)
{
    cm_trapped = 0;
    cm_measure(kernels[kernel].run, CM_TURNS, &data, counts);
    if (cm_trapped == 0)
        return 1;
    put_kernel("trap", kernel);
    put_hexadecimal((uint32_t)(cm_trapped - 1));
    end_line();
    return 0;
}

/* Selects a set of events, prints their names, and measures all kernels with them. */
static void run_all(unsigned first, unsigned count)
{
    begin_line("events");
    for (unsigned i = 0; i < CM_FIXED; i++)
        put_word(fixed[i]);
    for (unsigned i = 0; i < count; i++) {
        cm_select(i, events[first + i].value);
        put_word(events[first + i].name);
    }
    end_line();
    for (unsigned kernel = 0; kernel < sizeof kernels / sizeof kernels[0]; kernel++)
        for (unsigned i = 0; (i > 0 || try_kernel(kernel)) && i < 2 * CM_REPETITIONS; i++)
            measure_kernel(kernel, i % 2 == 0 ? CM_TURNS : 2 * (uintptr_t)CM_TURNS, count);
}

int main(void)
{
    unsigned set = 0, first = 0;
    begin_line("begin 1");
    put_word(CM_ISA);
    put_hexadecimal(CM_TURNS);
    put_hexadecimal(CM_REPETITIONS);
    end_line();
    do {
        unsigned count = 0;
        while (count < CM_COUNTERS && events[first + count].name != 0)
            count++;
        if (CM_SET < 0 || set == (unsigned)CM_SET)
            run_all(first, count);
        set++;
        first += count;
    } while (events[first].name != 0);
    begin_line("end");
    end_line();
    cm_finish();
    return 0;
}
