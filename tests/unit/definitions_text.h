/* What the tests of definitions share: a small document of results, in a file. */
#ifndef DEFINITIONS_TEXT_H
#define DEFINITIONS_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <catmint/definitions.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])

/* A small document, one thing a line. */
static const char sound[] =
    "{\n"
    " \"schema\": \"catmint.metrics/1\",\n"
    " \"machine\": {\"model_name\": \"A CPU\", \"cores\": 2},\n"
    " \"pmu\": \"software:toy\",\n"
    " \"benchmarks\": [\n"
    "  {\"benchmark\": \"flops\",\n"
    "   \"tau\": 1e-10,\n"
    "   \"alpha\": 0.0005, \"residual\": 0.01, \"counts\": {}, \"selected\": [\"FP:ALL\", \"FP:MUL\"],\n"
    "   \"kernels\": [\"k1\", \"k2\"],\n"
    "   \"symbols\": [\"ADD\", \"MUL\"],\n"
    "   \"events\": [\n"
    "    {\"event\": \"FP:ALL\", \"status\": \"selected\", \"max_rnmse\": 0.0, \"residual\": 1e-17, "
    "\"representation\": [1, 1.0],"
    " \"equivalent_to\": null},\n"
    "    {\"event\": \"FP:MUL\", \"status\": \"selected\", \"max_rnmse\": 0.0, \"residual\": 0, \"representation\": "
    "[0, 1],"
    " \"equivalent_to\": null},\n"
    "    {\"event\": \"FP:TWICE\", \"status\": \"dependent\", \"max_rnmse\": 0.0, \"residual\": 0, \"representation\": "
    "[2, 2],"
    " \"equivalent_to\": \"FP:ALL\"},\n"
    "    {\"event\": \"\xc3\xa4:CYCLES\", \"status\": \"noisy\", \"max_rnmse\": 0.25, \"residual\": null,"
    " \"representation\": null, \"equivalent_to\": null}\n"
    "   ],\n"
    "   \"metrics\": [\n"
    "    {\"metric\": \"Additions\", \"preset\": \"\", \"description\": \"adds\", \"signature\": [1, 0],\n"
    "     \"terms\": [{\"event\": \"FP:ALL\", \"coefficient\": 1.0000000000000002},"
    " {\"event\": \"FP:MUL\", \"coefficient\": -0.1}],\n"
    "     \"backward_error\": 1e-17, \"misfit\": 1e-17, \"amplification\": 2,\n"
    "     \"definition\": [{\"event\": \"FP:ALL\", \"coefficient\": 1.0}, {\"event\": \"FP:MUL\", \"coefficient\": "
    "-1.0}],\n"
    "     \"definition_backward_error\": 0.125, \"definition_misfit\": 0.25, \"definition_amplification\": 3.5,\n"
    "     \"composable\": true},\n"
    "    {\"metric\": \"Ops\", \"preset\": \"PAPI_FP_OPS\", \"signature\": [1, 1], \"terms\": [], \"definition\": [],\n"
    "     \"backward_error\": null, \"misfit\": null, \"amplification\": null, \"definition_backward_error\": null,\n"
    "     \"definition_misfit\": null, \"definition_amplification\": null, \"composable\": false, \"measurable\": "
    "false}\n"
    "   ]},\n"
    "  {\"benchmark\": \"branch\", \"tau\": null, \"alpha\": 0.0005, \"residual\": 0.01, \"kernels\": [], \"symbols\": "
    "[],"
    " \"events\": [],\n"
    "   \"metrics\": [{\"metric\": \"PAPI_FP_OPS\", \"preset\": \"Additions\", \"signature\": [], \"terms\": [],"
    " \"definition\": [{\"event\": \"A\", \"coefficient\": 3}],\n"
    "    \"backward_error\": 0, \"misfit\": 0, \"amplification\": 0, \"definition_backward_error\": 0,\n"
    "    \"definition_misfit\": 0, \"definition_amplification\": 0, \"composable\": true}]}\n"
    " ]\n"
    "}\n";

static char path[] = "/tmp/catmint-definitions-XXXXXX";

static inline int make_path(void **state)
{
    (void)state;
    int descriptor = mkstemp(path);
    return descriptor < 0 ? -1 : close(descriptor);
}

static inline int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static inline cm_status load(const char *text, size_t size, cm_definitions **definitions, cm_error *error)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
    return cm_definitions_load(path, definitions, error);
}

/* The sound document with `old` replaced, where it first stands. */
static inline void replace(const char *old, const char *new, char *text, size_t size)
{
    const char *at = strstr(sound, old);
    if (at == NULL)
        fail_msg("the document has no '%s'", old);
    snprintf(text, size, "%.*s%s%s", (int)(at - sound), sound, new, at + strlen(old));
}

static inline cm_definitions *load_sound(void)
{
    cm_definitions *definitions = NULL;
    cm_error error;
    if (load(sound, sizeof sound - 1, &definitions, &error) != CM_OK)
        fail_msg("%zu:%zu: %s", error.line, error.column, error.text);
    return definitions;
}

#endif
