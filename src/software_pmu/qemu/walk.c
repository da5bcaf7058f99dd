/* Wrong paths through the program's code, run of plain instructions by run. A run that was decoded is kept with its
 * bytes, and decoded again if they have changed. */
#include "software_pmu/qemu/plugin.h"

static cm_path_kind kind_of(const cm_decoded *decoded)
{
    switch (decoded->kind) {
    case CM_DECODED_CONDITIONAL: return CM_PATH_CONDITIONAL;
    case CM_DECODED_JUMP: return CM_PATH_JUMP;
    case CM_DECODED_CALL: return CM_PATH_CALL;
    default: return CM_PATH_END;
    }
}

static bool decode_at(uint64_t address, cm_decoded *decoded)
{
    uint8_t code[CM_CODE_LONGEST];
    size_t known = cm_copy_code(address, code);
    if (known == 0)
        return false;
    cm_decode(address, code, &cm_counted.vectors, decoded);
    return decoded->length <= known;
}

static cm_passed passed_by(const cm_decoded *decoded)
{
    cm_passed passed = {.address = decoded->address, .length = decoded->length, .operations = decoded->operations};
    for (size_t i = 0; i < decoded->access_count; i++) {
        passed.loads = passed.loads || decoded->accesses[i].load;
        passed.stores = passed.stores || decoded->accesses[i].store;
    }
    return passed;
}

/* Decodes plain instructions until one that is not, or `most` of them; false: there is unknown code. */
static bool decode_run(uint64_t from, unsigned most, cm_run *run)
{
    cm_decoded decoded = {.address = from};
    *run = (cm_run){.from = from};
    while (decode_at(decoded.address + decoded.length, &decoded)) {
        run->step =
            (cm_path_step){.kind = kind_of(&decoded), .address = decoded.address, .passed = passed_by(&decoded)};
        if (decoded.kind != CM_DECODED_PLAIN) {
            run->fork = (cm_fork){decoded.target, decoded.address + decoded.length};
            run->bytes = run->fork.behind - from;
            run->ends = true;
            run->is_wall = decoded.kind == CM_DECODED_WALL;
            return true;
        }
        if (++run->plain == most) {
            run->bytes = decoded.address + decoded.length - from;
            return true;
        }
    }
    run->bytes = 0;
    return false;
}

/* Whether it is a run from that address on, of the code that is there now. */
static bool is_kept(const cm_run *run, uint64_t from)
{
    return run->from == from && run->bytes != 0 && memcmp(run->code, cm_host_address(from), run->bytes) == 0;
}

/* The run from that address on, of `most` plain instructions if it has no end before; NULL: there is unknown code. */
static cm_run *run_at(cm_run *runs, uint64_t from, unsigned most)
{
    cm_run *run = &runs[(from * UINT64_C(0x9E3779B97F4A7C15) >> 32) % CM_RUNS];
    if (is_kept(run, from) && (run->ends || run->plain >= most))
        return run;
    if (!decode_run(from, most, run))
        return NULL;
    /* It is kept if it is short. It may end in a wall; bytes behind that may have been read. */
    if (run->is_wall || run->bytes > sizeof run->code)
        run->bytes = 0;
    else
        memcpy(run->code, cm_host_address(run->from), run->bytes);
    return run;
}

/* As `follow_path`, if paths are watched: each instruction is a run of its own, and reported. */
static bool follow_watched(cm_run *runs, uint64_t from, cm_path_step *step, unsigned *left)
{
    for (; *left > 0; --*left) {
        cm_run *run = run_at(runs, from, 1);
        if (run == NULL)
            return false;
        if (run->plain == 0) {
            *step = run->step;
            step->known = &run->fork;
            return true;
        }
        cm_modelled_pass(cm_counted.modelled, &run->step.passed);
        from += run->step.passed.length;
    }
    return false;
}

/* Moves a wrong path to the next branch; false if it ends before. */
static bool follow_path(void *engine, cm_path_step *step, bool taken, unsigned *left)
{
    cm_run *runs = engine;
    const cm_fork *fork = step->known;
    const uint64_t from = taken ? fork->target : fork->behind;
    if (cm_modelled_watches_paths(cm_counted.modelled))
        return follow_watched(runs, from, step, left);
    cm_run *run = run_at(runs, from, *left);
    if (run == NULL)
        return false;
    if (run->plain >= *left)
        return false;
    *left -= run->plain;
    *step = run->step;
    step->known = &run->fork;
    return true;
}

void cm_walk_conditional(const cm_decoded *branch, bool taken)
{
    cm_fork fork = {branch->target, branch->address + branch->length};
    const cm_path path = {cm_counted.runs, follow_path};
    const cm_path_step step = {.kind = CM_PATH_CONDITIONAL, .address = branch->address, .known = &fork};
    cm_modelled_conditional(cm_counted.modelled, &path, &step, taken);
}
