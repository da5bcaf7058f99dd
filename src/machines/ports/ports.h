/* The port model of a core: instructions are made of parts, each of which takes one of several ports for some cycles.
 * Ports bound how often a loop can turn, dependences from one turn to the next how soon. */
#ifndef CM_MACHINES_PORTS_PORTS_H
#define CM_MACHINES_PORTS_PORTS_H

#include <regex.h>

#include <catmint/ports.h>

#include "core/base.h"

/* ---- model.c: a processor's table, data/ports/NAME.csv ---- */

enum { CM_PORTS_MOST = 32, CM_PORT_PARTS = 6, CM_PORT_NAME = 16, CM_PORT_ROLES = 12 };

/* One of the ports in `mask`, for so many cycles. */
typedef struct cm_port_part {
    double cycles;
    uint32_t mask;
} cm_port_part;

typedef enum cm_port_kind { CM_PORT_FORM, CM_PORT_LOAD, CM_PORT_STORE } cm_port_kind;

/* Instructions whose form the pattern fits, or the access of a load or store with such registers. */
typedef struct cm_port_row {
    cm_port_kind kind;
    regex_t pattern;
    double latency; /* cycles */
    double next;    /* cycles until an instruction of the same row has the result */
    size_t part_count;
    cm_port_part parts[CM_PORT_PARTS];
} cm_port_row;

/* Words that describe some of the ports: "integers". */
typedef struct cm_port_role {
    char words[24];
    uint32_t mask;
} cm_port_role;

typedef enum cm_port_isa { CM_PORT_X86_64, CM_PORT_AARCH64 } cm_port_isa;

typedef struct cm_port_model {
    char name[64]; /* its table's, without the extension */
    char *path;    /* of its table */
    cm_port_isa isa;
    char identity[128];     /* pattern of vendor-family-model-stepping; "": none */
    char mca[CM_PORT_NAME]; /* LLVM's name for it; "": it does not know it */
    double width;           /* instructions that enter the core in a cycle */
    double forward;         /* cycles from a store to a load of the stored value */
    double turn;            /* the fewest cycles of a turn of a loop */
    size_t port_count;
    char ports[CM_PORTS_MOST][CM_PORT_NAME];
    size_t role_count;
    cm_port_role roles[CM_PORT_ROLES]; /* a port may have several, or none */
    size_t row_count;
    cm_port_row *rows;
} cm_port_model;

/* Loads the table of the processor at hand; *model is NULL if no table is of it. */
cm_status cm_port_model_load_own(cm_port_model **model, cm_error *error);
/* Loads the table of that name, or the file if the name has a slash, or the table of the processor at hand if `name` is
 * NULL: CM_UNSUPPORTED if no table is of it. CM_BAD_INPUT names the file and the line. */
cm_status cm_port_model_choose(const char *name, cm_port_model **model, cm_error *error);
void cm_port_model_free(cm_port_model *model);
/* The first row of that kind whose pattern fits the whole text; NULL: none. */
const cm_port_row *cm_port_row_find(const cm_port_model *model, cm_port_kind kind, const char *text);

/* ---- decode.c, operands.c: the inputs, outputs and costs of an instruction in assembly ---- */

enum { CM_PORT_REGISTERS = 128, CM_PORT_FLAGS = 100, CM_PORT_READS = 8, CM_PORT_WRITES = 4, CM_PORT_NONE = 255 };

/* A place in memory: base + index * scale + offset. */
typedef struct cm_port_address {
    uint8_t base, index; /* registers, CM_PORT_NONE: none */
    int scale;
    long offset;
    unsigned bytes;
} cm_port_address;

typedef struct cm_port_operand {
    char letter; /* r, x, y, z, k: registers; i: a number; m: memory; l: a label; q, d, s, h, b, v, p: of aarch64 */
    uint8_t reg;
    bool merges; /* under a mask that keeps the other elements */
    uint8_t mask;
} cm_port_operand;

enum { CM_PORT_OPERANDS = 6, CM_PORT_FORM_SIZE = 64 };

typedef struct cm_port_instruction {
    const char *text; /* in the assembly, not closed */
    size_t length;
    char form[CM_PORT_FORM_SIZE]; /* "vaddpd z z z": mnemonic and letters of the operands in their order */
    uint8_t reads[CM_PORT_READS], writes[CM_PORT_WRITES];
    size_t read_count, write_count;
    bool loads, stores;
    char letter; /* of the registers that memory goes to or comes from */
    cm_port_address address;
    uint8_t moved; /* register whose value the first written one takes, plus `add`; CM_PORT_NONE: another value */
    long add;
    uint8_t updated; /* base that is changed by `update` after the access; CM_PORT_NONE */
    long update;
    bool fused;      /* with the compare before it: it needs no slot */
    double crossing; /* share of its accesses that lie in two lines, and take their ports twice */
    const cm_port_row *row, *load, *store, *change; /* NULL: it has no such part; change: of the base */
    bool known;
} cm_port_instruction;

/* Decodes a line of assembly; false: it has no instruction. */
bool cm_port_decode(const cm_port_model *model, const char *line, size_t length, cm_port_instruction *one);
void cm_port_decode_x86_64(const char *mnemonic, const char *operands, cm_port_instruction *one);
void cm_port_decode_aarch64(const char *mnemonic, const char *operands, cm_port_instruction *one);
/* The number that the text begins with, at most 32 bits long, so that sums over instructions do not overflow. */
long cm_port_number(const char *text);
void cm_port_read(cm_port_instruction *one, unsigned reg);
void cm_port_write(cm_port_instruction *one, unsigned reg);
/* Splits operands at commas outside of brackets; returns their number. */
size_t cm_port_split(const char *operands, const char *starts[CM_PORT_OPERANDS], size_t lengths[CM_PORT_OPERANDS]);

/* Whether the text begins with one of the prefixes, which end with NULL. */
bool cm_port_begins(const char *text, const char *const *prefixes);

/* ---- find_loops.c ---- */

/* A range of the text without jumps back in it but the last. */
typedef struct cm_port_range {
    size_t first, last; /* bytes */
    size_t line;        /* of its first instruction, from 1 */
    char label[64];     /* "": the text has no loop, and is taken for one turn */
} cm_port_range;

/* Innermost loops of a function in the text, or of the whole text if `function` is NULL; without any, all of it.
 * CM_BAD_INPUT: there is no such function, or nothing in it. Free *ranges. */
cm_status cm_port_ranges_find(const char *text, cm_port_isa isa, const char *function, cm_port_range **ranges,
                              size_t *count, cm_error *error);

/* ---- crossing.c, pressure.c, chains.c ---- */

/* A turn of a loop. */
typedef struct cm_port_loop {
    cm_port_range range;
    size_t count;
    cm_port_instruction *instructions;
    bool *carried, *critical; /* one an instruction: it is on the path of loop_carried, of critical_path */
    double *pressure;         /* instruction x port, cycles */
    double port_cycles[CM_PORTS_MOST];
    double throughput;    /* cycles a turn that ports take, perfectly distributed */
    double front;         /* cycles a turn in which its instructions enter */
    double loop_carried;  /* cycles a turn that wait for the turn before */
    double critical_path; /* cycles from the first to the last of one turn alone */
    double predicted;     /* cycles a turn: the most of all but critical_path */
    double mca;           /* by llvm-mca; NaN: none */
    size_t unknown;       /* instructions without a row */
} cm_port_loop;

/* Finds which accesses cross lines, as far as the text tells: those of vectors to one array in a turn, which are apart
 * by no multiple of the vector, cannot all be aligned. The most of them are taken to be. */
void cm_port_cross(cm_port_loop *loop);
/* Finds the least that any port can be made to take, and a distribution that takes it. */
cm_status cm_port_press(cm_port_loop *loop, cm_error *error);
/* Finds loop_carried and critical_path and their instructions. */
cm_status cm_port_chain(const cm_port_model *model, cm_port_loop *loop, cm_error *error);

/* ---- ports.c ---- */

struct cm_ports {
    cm_port_model *model;
    char *text;
    const char *source; /* file, or BINARY:SYMBOL */
    size_t loop_count;
    cm_port_loop *loops;
};

/* Analyses a range; clear the loop in any case. CM_BAD_INPUT, without a message: it has too many instructions. */
cm_status cm_port_loop_analyse(const cm_port_model *model, const char *text, const cm_port_range *range,
                               cm_port_loop *loop, cm_error *error);
void cm_port_loop_clear(cm_port_loop *loop);

/* ---- core.c: the ports of a core, and the kinds of instruction that each executes ---- */

/* A kind of instruction, by an example. */
typedef struct cm_core_unit {
    const char *group, *name, *instruction;
    cm_port_loop alone; /* the example by itself */
    double latency;     /* cycles until other instructions have its result */
    double chained;     /* and until another one of its kind has it */
    double per_cycle;   /* how many of it a core executes in a cycle */
    uint32_t mask;      /* the ports that execute parts of it */
} cm_core_unit;

struct cm_core {
    cm_port_model *model;
    cm_arena texts;
    size_t unit_count;
    cm_core_unit *units;           /* those that the table knows */
    size_t order[CM_PORTS_MOST];   /* the model's ports, those of a role side by side */
    uint32_t roles[CM_PORTS_MOST]; /* by port: a bit for each of its roles */
};

/* ---- mca.c ---- */

/* Runs a program of the PATH with `input` (NULL: nothing), and returns its output, to be freed; NULL: it failed. */
char *cm_port_output_of(const char *const *command, FILE *input);
/* Cycles an iteration from the "Total Cycles:" and "Iterations:" of llvm-mca's output; NaN if it has none. */
double cm_mca_cycles(const char *printed);
/* Cycles of a turn of the loop as llvm-mca predicts them for that processor; NaN: it is absent, or does not know it. */
double cm_port_mca(const cm_port_model *model, const cm_port_loop *loop);

/* ---- disassembly.c ---- */

/* The assembly of a function of an object or program, with labels, by objdump. */
cm_status cm_port_disassemble(const char *binary, const char *symbol, cm_port_isa isa, char **text, cm_error *error);

#endif
