/* The software PMU under qemu-user: catmint asks by system calls, as software_pmu/plugin_protocol.h describes, and QEMU
 * reports the code that it executes. With the argument facts=FILE, the whole program is counted into the file. */
#include <stdlib.h>

#include "software_pmu/qemu/plugin.h"
#include "software_pmu/plugin_protocol.h"

#define EXPORT __attribute__((visibility("default")))

enum { MACHINES = 256 };

typedef struct numbered_machine {
    cm_modelled modelled;
    uint64_t return_to;
    uint16_t vector_bits;
    cm_run runs[CM_RUNS];
} numbered_machine;

static numbered_machine *machines[MACHINES]; /* number 0 is none */

/* Creates a machine and answers with its number. */
static cm_qemu_answer create_machine(cm_qemu_machine *asked)
{
    size_t number = 1;
    while (number < MACHINES && machines[number] != NULL)
        number++;
    cm_error error = {0};
    if (asked->fact_count != CM_FACT_COUNT) {
        snprintf(asked->text, sizeof asked->text, "the plugin of qemu is of another version of catmint");
        return CM_QEMU_IMPOSSIBLE;
    }
    numbered_machine *created = number < MACHINES ? calloc(1, sizeof *created) : NULL;
    if (created == NULL)
        return CM_QEMU_NO_MEMORY;
    cm_status status = cm_modelled_init(&created->modelled, &asked->machine, &error);
    if (status != CM_OK) {
        snprintf(asked->text, sizeof asked->text, "%s", error.text);
        cm_modelled_clear(&created->modelled);
        free(created);
        return status == CM_NO_MEMORY ? CM_QEMU_NO_MEMORY : CM_QEMU_IMPOSSIBLE;
    }
    created->return_to = asked->return_to;
    created->vector_bits = (uint16_t)asked->vector_bits;
    machines[number] = created;
    cm_program_want_all();
    if (created->modelled.hints)
        cm_translate_registers((unsigned)asked->vector_bits);
    asked->number = number;
    cm_translate_except(asked->begin, asked->end);
    return CM_QEMU_OK;
}

static void clear_machine(uint64_t number)
{
    cm_modelled_clear(&machines[number]->modelled);
    free(machines[number]);
    machines[number] = NULL;
}

/* Makes a machine the one that counts, with nothing known of registers and branches. */
static void start_machine(numbered_machine *machine, uint64_t stack)
{
    cm_predictor_call(machine->modelled.predictor, machine->return_to);
    cm_counted.branch = NULL;
    cm_counted.repeating = 0;
    cm_registers_forget(&cm_counted.registers);
    if (strcmp(CM_QEMU_TARGET, "x86_64") == 0)
        cm_registers_start(&cm_counted.registers, stack);
    cm_counted.vectors = (cm_vectors){.bits = machine->vector_bits};
    cm_counted.runs = machine->runs;
    cm_counted.modelled = &machine->modelled;
}

static void stop_machine(numbered_machine *machine, uint64_t *facts)
{
    cm_branch_led_to(machine->return_to);
    cm_counted.modelled = NULL;
    cm_memory_settle(&machine->modelled.memory, machine->modelled.facts);
    memcpy(facts, machine->modelled.facts, sizeof machine->modelled.facts);
}

static void read_own(uint64_t *facts)
{
    cm_modelled *own = cm_program_join();
    if (own == NULL)
        return;
    cm_memory_settle(&own->memory, own->facts);
    memcpy(facts, own->facts, sizeof own->facts);
}

/* Answers catmint's requests, which are system calls. */
static void on_system_call(qemu_plugin_id_t id, unsigned vcpu, int64_t call, uint64_t magic, uint64_t operation,
                           uint64_t first, uint64_t second, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)vcpu, (void)a6, (void)a7, (void)a8;
    cm_program_system_call(call);
    if (magic != CM_QEMU_MAGIC)
        return;
    if (operation == CM_QEMU_CREATE) {
        cm_qemu_machine *asked = cm_host_address(first);
        asked->answer = create_machine(asked);
        return;
    }
    if (operation == CM_QEMU_READ) {
        read_own(cm_host_address(first));
        return;
    }
    if (first >= MACHINES || machines[first] == NULL)
        return;
    switch (operation) {
    case CM_QEMU_FREE: clear_machine(first); break;
    case CM_QEMU_START: start_machine(machines[first], a5); break;
    case CM_QEMU_STOP: stop_machine(machines[first], cm_host_address(second)); break;
    case CM_QEMU_SEED: cm_memory_seed(&machines[first]->modelled.memory, second); break;
    default: break;
    }
}

static bool take_argument(qemu_plugin_id_t id, const char *argument)
{
    static const char facts[] = "facts=";
    if (strncmp(argument, facts, strlen(facts)) == 0)
        return cm_program_begin(id, argument + strlen(facts));
    fprintf(stderr, "catmint's plugin: unknown argument '%s', expected facts=FILE\n", argument);
    return false;
}

EXPORT int qemu_plugin_version = 1;

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv);

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc, char **argv)
{
    if (info->system_emulation || strcmp(info->target_name, CM_QEMU_TARGET) != 0) {
        fprintf(stderr, "catmint's plugin is for qemu-" CM_QEMU_TARGET ", not for %s\n", info->target_name);
        return -1;
    }
    for (int i = 0; i < argc; i++)
        if (!take_argument(id, argv[i]))
            return -1;
    qemu_plugin_register_vcpu_tb_trans_cb(id, cm_translate);
    qemu_plugin_register_vcpu_syscall_cb(id, on_system_call);
    return 0;
}
