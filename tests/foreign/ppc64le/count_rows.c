#include "../count.h"

void count_vectors(void *memory);
void count_scalars(void *memory);
void count_reservations(void *memory);
void count_split(void *memory);
void count_calls(void *memory);

const count_row count_rows[] = {
    {"vectors",
     count_vectors,
     {{"instructions", 6},
      {"simd_instructions", 5},
      {"loads", 4},
      {"load_bytes", 80},
      {"stores", 1},
      {"store_bytes", 16}}},
    {"scalars",
     count_scalars,
     {{"instructions", 7},
      {"simd_instructions", 3},
      {"loads", 4},
      {"load_bytes", 18},
      {"stores", 2},
      {"store_bytes", 12}}},
    {"reservations",
     count_reservations,
     {{"instructions", 4}, {"loads", 1}, {"load_bytes", 8}, {"stores", 1}, {"store_bytes", 8}, {"branches_cond", 1}}},
    {"split",
     count_split,
     {{"loads", 2}, {"stores", 1}, {"split_loads", 1}, {"split_stores", 1}, {"load_bytes", 9}, {"store_bytes", 4}}},
    {"nothing",
     count_nothing,
     {{"instructions", 5},
      {"loads", 0},
      {"stores", 0},
      {"fences", 1},
      {"nops", 1},
      {"int_scalar_add", 1},
      {"int_scalar_logic", 0}}},
    {"calls",
     count_calls,
     {{"instructions", 20},
      {"calls", 2},
      {"calls_indirect", 1},
      {"returns", 2},
      {"branches_uncond", 2},
      {"branches_indirect", 1},
      {"fences", 2}}},
};
const size_t count_row_count = sizeof count_rows / sizeof count_rows[0];
