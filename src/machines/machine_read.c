/* Reads the figures of machines back. */
#include "machines/roofline.h"

/* The place of a key's text among `names`; a text that is none of them is a fault. */
static cm_status read_place(cm_json_reader *reader, const json_t *object, const char *key, const char *const *names,
                            size_t count, size_t *place)
{
    const char *name = NULL;
    cm_status status = cm_json_read_text(reader, object, key, CM_JSON_NOT_NULL, &name);
    if (status != CM_OK)
        return status;
    for (*place = 0; *place < count; ++*place)
        if (strcmp(names[*place], name) == 0)
            return CM_OK;
    return cm_json_fault(reader, "has an unknown %s", key);
}

static cm_status read_cores(cm_json_reader *reader, const json_t *object, size_t *cores)
{
    double number = 0.0;
    cm_status status = cm_json_read_figure(reader, object, "cores", CM_JSON_NOT_NULL, &number);
    if (status == CM_OK && !(number >= 1.0 && number <= CM_MOST_CORES && number == floor(number)))
        return cm_json_fault(reader, "has %g cores, expected a whole number from 1 on", number);
    *cores = (size_t)number;
    return status;
}

/* A figure of lowest, median and highest, which have to be in this order. */
static cm_status read_reading(cm_json_reader *reader, const json_t *object, const char *key, cm_reading *reading)
{
    const double *figures = NULL;
    cm_status status = cm_json_read_numbers(reader, object, key, CM_JSON_NOT_NULL, 3, &figures);
    if (status != CM_OK)
        return status;
    if (!(figures[0] > 0.0 && figures[0] <= figures[1] && figures[1] <= figures[2]))
        return cm_json_fault(reader, "needs %s as lowest, median and highest, above 0 and in this order", key);
    *reading = (cm_reading){figures[1], figures[0], figures[2]};
    return CM_OK;
}

/* Documents of older versions lack them. */
static cm_status read_rounds(cm_json_reader *reader, const json_t *object, cm_reading *rounds)
{
    const json_t *given = json_object_get(object, "rounds");
    *rounds = (cm_reading){NAN, NAN, NAN};
    return given == NULL || json_is_null(given) ? CM_OK : read_reading(reader, object, "rounds", rounds);
}

/* Reads one ceiling. */
static cm_status read_ceiling(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    static const char *precisions[CM_PRECISIONS];
    for (size_t i = 0; i < CM_PRECISIONS; i++)
        precisions[i] = cm_float_precision_name((cm_float_precision)i);
    cm_ceiling *ceiling = (cm_ceiling *)items + index;
    size_t kind = 0, precision = 0;
    double undisturbed = 0.0;
    cm_status status = read_place(reader, item, "kind", cm_ceiling_names, CM_CEILING_KINDS, &kind);
    CM_THEN(status, cm_json_read_text(reader, item, "operation", CM_JSON_NOT_NULL, &ceiling->operation));
    CM_THEN(status, cm_json_read_text(reader, item, "vectors", CM_JSON_NOT_NULL, &ceiling->vectors));
    CM_THEN(status, read_place(reader, item, "precision", precisions, CM_PRECISIONS, &precision));
    CM_THEN(status, cm_json_read_text(reader, item, "level", CM_JSON_NOT_NULL, &ceiling->level));
    CM_THEN(status, cm_json_read_figure(reader, item, "bytes", CM_JSON_NOT_NULL, &ceiling->bytes));
    CM_THEN(status, read_cores(reader, item, &ceiling->cores));
    CM_THEN(status, cm_json_read_figure(reader, item, "undisturbed", CM_JSON_NOT_NULL, &undisturbed));
    CM_THEN(status, read_reading(reader, item, "rate", &ceiling->rate));
    CM_THEN(status, read_rounds(reader, item, &ceiling->rounds));
    CM_THEN(status, read_reading(reader, item, "clock", &ceiling->clock));
    ceiling->kind = (cm_ceiling_kind)kind;
    ceiling->precision = (cm_float_precision)precision;
    ceiling->undisturbed = (size_t)undisturbed;
    return status;
}

/* Reads one point. */
static cm_status read_point(cm_json_reader *reader, const json_t *item, void *items, size_t index)
{
    cm_point *point = (cm_point *)items + index;
    cm_status status = cm_json_read_text(reader, item, "name", CM_JSON_NOT_NULL, &point->name);
    CM_THEN(status, cm_json_read_figure(reader, item, "flops", CM_JSON_NOT_NULL, &point->flops));
    CM_THEN(status, cm_json_read_figure(reader, item, "l1_bytes", CM_JSON_OR_NULL, &point->l1_bytes));
    CM_THEN(status, cm_json_read_figure(reader, item, "memory_bytes", CM_JSON_OR_NULL, &point->memory_bytes));
    CM_THEN(status, cm_json_read_figure(reader, item, "seconds", CM_JSON_NOT_NULL, &point->seconds));
    return status == CM_OK ? read_cores(reader, item, &point->cores) : status;
}

static cm_status take_ceilings(cm_roofline *roofline, cm_json_reader *reader, const json_t *document)
{
    size_t count = 0;
    void *items = NULL;
    cm_status status =
        cm_json_read_items(reader, document, "ceilings", sizeof(cm_ceiling), read_ceiling, &count, &items);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_roofline_add_ceiling(roofline, (cm_ceiling *)items + i, reader->error);
    return status;
}

static cm_status take_points(cm_roofline *roofline, cm_json_reader *reader, const json_t *document)
{
    size_t count = 0;
    void *items = NULL;
    cm_status status = cm_json_read_items(reader, document, "points", sizeof(cm_point), read_point, &count, &items);
    for (size_t i = 0; i < count && status == CM_OK; i++)
        status = cm_roofline_add_point(roofline, (cm_point *)items + i, reader->error);
    return status;
}

enum { MOST_TIMES = 1000000000 };

/* Reads a whole document; an error names the faulty member. */
static cm_status read_document(cm_json_reader *reader, const json_t *document, void *made)
{
    cm_roofline *roofline = made;
    const char *schema = NULL;
    const double *caches = NULL;
    double rounds = 1.0, repetitions = 0.0;
    cm_status status = cm_json_read_text(reader, document, "schema", CM_JSON_NOT_NULL, &schema);
    if (status == CM_OK && strcmp(schema, "catmint.machine/1") != 0)
        return cm_json_fault(reader, "has the schema '%s', expected catmint.machine/1", schema);
    CM_THEN(status, cm_json_read_text(reader, document, "processor", CM_JSON_NOT_NULL, &roofline->processor));
    CM_THEN(status, cm_json_read_numbers(reader, document, "caches", CM_JSON_NOT_NULL, CM_CACHE_LEVELS, &caches));
    if (status == CM_OK && json_object_get(document, "rounds") != NULL)
        status = cm_json_read_figure(reader, document, "rounds", CM_JSON_NOT_NULL, &rounds);
    CM_THEN(status, cm_json_read_figure(reader, document, "repetitions", CM_JSON_NOT_NULL, &repetitions));
    for (size_t i = 0; i < CM_CACHE_LEVELS && status == CM_OK; i++)
        roofline->caches[i] = (size_t)fmax(0.0, caches[i]);
    roofline->rounds = (size_t)fmin(rounds, MOST_TIMES);
    roofline->repetitions = (size_t)fmin(repetitions, MOST_TIMES);
    CM_THEN(status, take_ceilings(roofline, reader, document));
    if (status == CM_OK && roofline->ceiling_count == 0)
        return cm_json_fault(reader, "holds no ceiling, expected the figures that catmint roofline measured");
    return status == CM_OK ? take_points(roofline, reader, document) : status;
}

cm_status cm_roofline_load(const char *path, cm_roofline **roofline, cm_error *error)
{
    cm_roofline *made = calloc(1, sizeof *made);
    cm_status status =
        made != NULL ? cm_json_read_file(path, 0, "the figures of a machine", &made->arena, read_document, made, error)
                     : cm_error_no_memory(error);
    CM_HAND_OVER(status, roofline, made, cm_roofline_free);
    return status;
}
