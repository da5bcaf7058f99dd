/* Our pivoting beside LAPACK's dgeqp3 on the same columns: bench_pivoting [COLUMNS [SYMBOLS [RANK]]], a million, 16 and
 * 16 unless said; with a smaller RANK the last symbols are in no column. Half of the columns are exact sums of ideal
 * events, half have noise of a thousandth. The best of five rounds, in which each has its turn; what dgeqp3 destroys is
 * copied before its clock starts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lapacke.h>

#include "analysis/state.h"

enum { ROUNDS = 5, MOST_PARTS = 4 };

static const double alpha = 5e-4;

static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void make_columns(double *values, size_t count, size_t symbols, size_t rank)
{
    static const double weights[] = {1, 1, 2, 4};
    uint64_t seed = 1;
    for (size_t i = 0; i < count; i++) {
        double *column = values + i * symbols;
        memset(column, 0, symbols * sizeof *column);
        for (size_t k = random_bits(&seed) % MOST_PARTS + 1; k > 0; k--)
            column[random_bits(&seed) % rank] += 1000.0 * weights[random_bits(&seed) % 4];
        for (size_t s = 0; i % 2 == 1 && s < symbols; s++)
            column[s] *= 1.0 + 1e-3 * (double)(random_bits(&seed) >> 11) * 0x1p-53;
    }
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

int main(int count_of_words, char **words)
{
    size_t count = count_of_words > 1 ? strtoul(words[1], NULL, 10) : 1000000;
    size_t symbols = count_of_words > 2 ? strtoul(words[2], NULL, 10) : 16;
    size_t rank = count_of_words > 3 ? strtoul(words[3], NULL, 10) : symbols, found = 0;
    double *values = malloc(count * symbols * sizeof *values), *copy = malloc(count * symbols * sizeof *copy);
    double *factors = malloc(symbols * sizeof *factors), ours = 1e300, theirs = 1e300;
    const double **columns = malloc(count * sizeof *columns);
    size_t *chosen = malloc(symbols * sizeof *chosen);
    lapack_int *order = malloc(count * sizeof *order);
    int status = EXIT_FAILURE;
    if (values == NULL || copy == NULL || factors == NULL || columns == NULL || chosen == NULL || order == NULL ||
        count < symbols || rank == 0 || rank > symbols)
        goto done;
    make_columns(values, count, symbols, rank);
    for (size_t i = 0; i < count; i++)
        columns[i] = values + i * symbols;
    for (int round = 0; round < ROUNDS; round++) {
        double start = now();
        if (cm_pivot(columns, count, symbols, alpha, chosen, &found, NULL) != CM_OK)
            goto done;
        double taken = now() - start;
        ours = taken < ours ? taken : ours;
        memcpy(copy, values, count * symbols * sizeof *copy);
        memset(order, 0, count * sizeof *order);
        start = now();
        if (LAPACKE_dgeqp3(LAPACK_COL_MAJOR, (lapack_int)symbols, (lapack_int)count, copy, (lapack_int)symbols, order,
                           factors) != 0)
            goto done;
        taken = now() - start;
        theirs = taken < theirs ? taken : theirs;
    }
    printf("%zu columns of %zu: selection %.3f s (%zu selected), dgeqp3 %.3f s, %.1f times as long\n", count, symbols,
           ours, found, theirs, theirs / ours);
    status = EXIT_SUCCESS;
done:
    free(values);
    free(copy);
    free(factors);
    free(columns);
    free(chosen);
    free(order);
    return status;
}
