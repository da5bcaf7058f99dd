#include "../count.h"

void count_pairs(void *memory);
void count_structures(void *memory);
void count_atomics(void *memory);
void count_split(void *memory);
void count_calls(void *memory);
void count_scalable(void *memory);

/* Vectors have 512 bits, as QEMU has them by itself. */
const count_row count_rows[] = {
    {"pairs", count_pairs, {{"instructions", 5}, {"loads", 3}, {"load_bytes", 64}, {"stores", 1}, {"store_bytes", 8}}},
    {"structures",
     count_structures,
     {{"instructions", 6}, {"loads", 4}, {"load_bytes", 102}, {"stores", 1}, {"store_bytes", 24}}},
    {"atomics",
     count_atomics,
     {{"instructions", 8},
      {"loads", 4},
      {"load_bytes", 28},
      {"stores", 4},
      {"store_bytes", 28},
      {"locked_loads", 3},
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
      {"int_scalar_address", 1},
      {"int_scalar_add", 0}}},
    {"calls",
     count_calls,
     {{"instructions", 16},
      {"calls", 2},
      {"calls_indirect", 1},
      {"returns", 2},
      {"branches_uncond", 1},
      {"branches_indirect", 1},
      {"fences", 2}}},
    {"scalable",
     count_scalable,
     {{"instructions", 11},
      {"loads", 4},
      {"load_bytes", 208},
      {"loads_8", 2},
      {"store_bytes", 8},
      {"fp_d_v512_add", 2},
      {"fp_lanes_d", 2},
      {"fp_lanes_unknown", 1}}},
};
const size_t count_row_count = sizeof count_rows / sizeof count_rows[0];
