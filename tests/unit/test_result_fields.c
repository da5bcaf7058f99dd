/* The JSON schemas, made from the tables of fields: the committed files equal them. With --write it writes the files.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "core/files.h"
#include "report/report.h"
#include "result/result.h"

/* A line of a schema has up to this many characters; a longer object has a line for each member. */
enum { LINE = 140, INDENT = 2 };

static json_t *object_of(const cm_fields *fields);
static json_t *value_of(const cm_field *field);

/* ---- from fields to a schema ---- */

/* The tables that stand apart, by title. */
static json_t *apart;

static void set(json_t *object, const char *key, json_t *value)
{
    assert_int_equal(json_object_set_new(object, key, value), 0);
}

/* Adds the keywords of a row, which has ' for quotes. */
static void add_limits(json_t *node, const char *limits)
{
    char text[2000];
    if (limits == NULL)
        return;
    assert_true(snprintf(text, sizeof text, "{%s}", limits) < (int)sizeof text);
    for (char *at = text; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    json_t *added = json_loads(text, 0, NULL);
    if (added == NULL)
        fail_msg("no JSON: %s", text);
    assert_int_equal(json_object_update(node, added), 0);
    json_decref(added);
}

static json_t *typed(const char *type, bool nullable)
{
    return nullable ? json_pack("{s: [s, s]}", "type", type, "null") : json_pack("{s: s}", "type", type);
}

static json_t *at_least(json_t *node, int minimum)
{
    set(node, "minimum", json_integer(minimum));
    return node;
}

/* Of a list, with as many elements as it may have, 0: any number. */
static json_t *list_of(json_t *items, bool nullable, int length)
{
    json_t *node = typed("array", nullable);
    set(node, "items", items);
    if (length != 0) {
        set(node, "minItems", json_integer(length));
        set(node, "maxItems", json_integer(length));
    }
    return node;
}

static json_t *name_list(void)
{
    json_t *node = list_of(json_pack("{s: s, s: i}", "type", "string", "minLength", 1), false, 0);
    set(node, "uniqueItems", json_true());
    return node;
}

static json_t *words_of(const cm_field_words *words)
{
    json_t *list = json_array();
    for (int word = 0; word < words->count; word++)
        assert_int_equal(json_array_append_new(list, json_string(words->text(word))), 0);
    return json_pack("{s: o}", "enum", list);
}

/* A table, or the reference to one that stands apart. */
static json_t *refer(const cm_fields *fields)
{
    if (fields->title == NULL)
        return object_of(fields);
    if (json_object_get(apart, fields->title) == NULL) {
        set(apart, fields->title, json_null());
        set(apart, fields->title, object_of(fields));
    }
    return json_pack("{s: s+}", "$ref", "#/$defs/", fields->title);
}

/* The object of a map: its members are what the second row says. */
static json_t *map_of(const cm_field *value)
{
    json_t *node = value_of(value);
    add_limits(node, value->limits);
    return json_pack("{s: s, s: o}", "type", "object", "additionalProperties", node);
}

/* An unknown value is null, unless the member is not written then. */
static json_t *value_of(const cm_field *field)
{
    const bool nullable = (field->rules & (CM_NULLABLE | CM_OMITTED)) == CM_NULLABLE;
    const int length = field->length == CM_LENGTH_TWO ? 2 : 0;
    json_t *node = NULL;
    switch (field->kind) {
    case CM_FIELD_TEXT:
    case CM_FIELD_SHORT_TEXT: return typed("string", nullable);
    case CM_FIELD_WORD: return words_of(field->words);
    case CM_FIELD_NUMBER: return typed("number", nullable);
    case CM_FIELD_FIGURE: return at_least(typed("number", nullable), 0);
    case CM_FIELD_WHOLE: return at_least(typed("integer", nullable), 0);
    case CM_FIELD_BOOL: return typed("boolean", nullable);
    case CM_FIELD_NUMBERS: return list_of(typed("number", field->rules & CM_NULL_ELEMENTS), nullable, length);
    case CM_FIELD_PLACES: return list_of(at_least(typed("integer", false), 0), nullable, 0);
    case CM_FIELD_PAIR: return list_of(at_least(typed("integer", false), 0), nullable, 2);
    case CM_FIELD_TEXTS: return list_of(typed("string", false), nullable, 0);
    case CM_FIELD_NAMES: return name_list();
    case CM_FIELD_ITEMS: return list_of(refer(field->of), nullable, 0);
    case CM_FIELD_OBJECT:
    case CM_FIELD_PART: node = object_of(field->of); break;
    case CM_FIELD_MAP: return map_of(&field->of->rows[1]);
    case CM_FIELD_JSON: return typed("object", nullable);
    }
    if (nullable)
        set(node, "type", json_pack("[s, s]", "object", "null"));
    return node;
}

/* Adds the description, and behind it when the member is missing. */
static void describe(json_t *node, const char *says, const char *missing)
{
    if (says != NULL && missing != NULL && strstr(says, "issing") == NULL)
        set(node, "description", json_pack("s++", says, " ", missing));
    else if (says != NULL || missing != NULL)
        set(node, "description", json_string(says != NULL ? says : missing));
}

/* Adds the rows to an object's properties and to those that it requires; `outer`: rules of the part that they are in.
 */
static void add_rows(const cm_fields *fields, unsigned outer, json_t *required, json_t *properties)
{
    for (size_t i = 0; i < fields->count; i++) {
        const cm_field *field = &fields->rows[i];
        const unsigned rules = field->rules | outer;
        if (field->name == NULL) {
            add_rows(field->of, rules, required, properties);
            continue;
        }
        const bool may_miss = (rules & CM_OMITTED) != 0 || field->when != NULL;
        const bool is_required = (rules & CM_SCHEMA_REQUIRES) != 0 || (!may_miss && (rules & CM_OPTIONAL) == 0);
        json_t *node = json_object(), *value = value_of(field);
        describe(node, field->says, is_required ? NULL : may_miss ? "May be missing." : "Missing in older documents.");
        assert_int_equal(json_object_update(node, value), 0);
        json_decref(value);
        add_limits(node, field->limits);
        set(properties, field->name, node);
        if (is_required)
            assert_int_equal(json_array_append_new(required, json_string(field->name)), 0);
    }
}

static json_t *object_of(const cm_fields *fields)
{
    json_t *node = typed("object", false), *required = json_array(), *properties = json_object();
    add_rows(fields, 0, required, properties);
    if (json_array_size(required) > 0)
        set(node, "required", json_incref(required));
    json_decref(required);
    set(node, "additionalProperties", json_false());
    set(node, "properties", properties);
    add_limits(node, fields->limits);
    return node;
}

/* ---- as text ---- */

static void write_node(const json_t *node, int depth, size_t before, FILE *stream);

/* Writes a member of an object or, with no key, an element of an array. */
static void write_member(const char *key, const json_t *value, bool last, int depth, FILE *stream)
{
    fprintf(stream, "%*s", depth * INDENT, "");
    if (key != NULL)
        fprintf(stream, "\"%s\": ", key);
    write_node(value, depth, (size_t)(depth * INDENT) + (key != NULL ? strlen(key) + 4 : 0), stream);
    fputs(last ? "\n" : ",\n", stream);
}

/* Writes it in one line if it fits there, behind `before` characters. */
static void write_node(const json_t *node, int depth, size_t before, FILE *stream)
{
    char *line = json_dumps(node, JSON_ENCODE_ANY);
    const char *key;
    json_t *value;
    size_t i, left = json_object_size(node);
    assert_non_null(line);
    if (strlen(line) + before < LINE || !(json_is_object(node) || json_is_array(node))) {
        fputs(line, stream);
    } else if (json_is_object(node)) {
        fputs("{\n", stream);
        json_object_foreach((json_t *)node, key, value) write_member(key, value, --left == 0, depth + 1, stream);
        fprintf(stream, "%*s}", depth * INDENT, "");
    } else {
        fputs("[\n", stream);
        json_array_foreach(node, i, value) write_member(NULL, value, i + 1 == json_array_size(node), depth + 1, stream);
        fprintf(stream, "%*s]", depth * INDENT, "");
    }
    free(line);
}

/* ---- the files ---- */

static const struct document {
    const char *name, *path;
    const cm_fields *fields;
    const char *says;
} documents[] = {
    {"catmint.metrics/1", CM_TEST_SOURCE_DIR "/docs/catmint.metrics-1.schema.json", &cm_result_document_fields,
     "Results, as `catmint analyze` and `catmint discover` write them with --format json."},
    {"catmint.explain/1", CM_TEST_SOURCE_DIR "/docs/catmint.explain-1.schema.json", &cm_explanation_fields,
     "Explanations, as `catmint explain` writes them with --format json."},
    {"catmint.validation/1", CM_TEST_SOURCE_DIR "/docs/catmint.validation-1.schema.json", &cm_validation_fields,
     "Verdicts of programs, as `catmint validate` writes them with --format json."},
};
/* Of each document. */
#define MORE                                                                                                           \
    " A number that does not exist is null. Within version 1 keys are added alone, and the schema of the catmint "     \
    "that "                                                                                                            \
    "writes them names them all: it holds for documents of older ones, too."

enum { DOCUMENTS = sizeof documents / sizeof documents[0] };

/* The text of a schema; the caller frees it. */
static char *schema_of(const struct document *document)
{
    char *text = NULL;
    size_t size = 0;
    apart = json_object();
    json_t *schema = json_pack("{s: s, s: s, s: s+}", "$schema", "https://json-schema.org/draft/2020-12/schema",
                               "title", document->name, "description", document->says, MORE);
    json_t *object = object_of(document->fields);
    assert_int_equal(json_object_update(schema, object), 0);
    json_decref(object);
    set(schema, "$defs", apart);
    FILE *stream = open_memstream(&text, &size);
    assert_non_null(stream);
    write_node(schema, 0, LINE, stream);
    fputs("\n", stream);
    assert_int_equal(fclose(stream), 0);
    json_decref(schema);
    return text;
}

static void the_schemas_are_those_of_the_fields(void **state)
{
    (void)state;
    for (size_t i = 0; i < DOCUMENTS; i++) {
        char *made = schema_of(&documents[i]), *there = NULL;
        size_t size = 0;
        assert_int_equal(cm_file_text_read(documents[i].path, &there, &size, NULL), CM_OK);
        if (strcmp(made, there) != 0)
            print_error("%s: the fields have changed: run this test with --write\n", documents[i].path);
        assert_string_equal(made, there);
        free(there);
        free(made);
    }
}

static int write_files(void)
{
    for (size_t i = 0; i < DOCUMENTS; i++) {
        char *made = schema_of(&documents[i]);
        FILE *stream = fopen(documents[i].path, "w");
        if (stream == NULL || fputs(made, stream) == EOF || fclose(stream) != 0)
            return 1;
        free(made);
    }
    return 0;
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_schemas_are_those_of_the_fields)};
    if (count == 2 && strcmp(arguments[1], "--write") == 0)
        return write_files();
    return cmocka_run_group_tests_name("result_fields", tests, NULL, NULL);
}
