#include "../count.h"

void count_sizes(void *memory);
void count_atomics(void *memory);
void count_split(void *memory);
void count_calls(void *memory);
void count_vectors(void *memory);
void count_lanes(void *memory);

/* Vectors have 256 bits (scripts/foreign). */
const count_row count_rows[] = {
    {"sizes", count_sizes, {{"instructions", 8}, {"loads", 4}, {"load_bytes", 21}, {"stores", 3}, {"store_bytes", 14}}},
    {"atomics",
     count_atomics,
     {{"instructions", 7},
      {"loads", 3},
      {"load_bytes", 20},
      {"stores", 3},
      {"store_bytes", 20},
      {"locked_loads", 2},
      {"branches_cond", 1},
      {"branches_cond_taken", 0}}},
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
      {"int_scalar_move", 1}}},
    {"calls",
     count_calls,
     {{"instructions", 17},
      {"calls", 2},
      {"calls_indirect", 1},
      {"returns", 2},
      {"branches_uncond", 1},
      {"branches_indirect", 1},
      {"fences", 2}}},
    {"vectors",
     count_vectors,
     {{"instructions", 16},
      {"simd_instructions", 6},
      {"fp_d_v256_add", 1},
      {"fp_d_v256_fma", 1},
      {"fp_s_v256_add", 1},
      {"fp_s_v256_fma", 1},
      {"fp_d_v256_mul", 1},
      {"branches_cond_taken", 1}}},
    {"lanes",
     count_lanes,
     {{"instructions", 14},
      {"loads", 5},
      {"load_bytes", 88},
      {"stores", 1},
      {"store_bytes", 24},
      {"fp_lanes_d", 8},
      {"fp_lanes_s_fma", 3},
      {"fp_lanes_unknown", 1}}},
};
const size_t count_row_count = sizeof count_rows / sizeof count_rows[0];
