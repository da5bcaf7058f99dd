/* The schema of results beside the table of their fields: each member in both, of the same kind, needed by both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <jansson.h>

#include "result/result.h"

static json_t *schema;
static size_t faults, members;

static void fault(const char *path, const char *name, const char *text)
{
    print_error("%s.%s: %s\n", path, name, text);
    faults++;
}

/* Where "$ref" leads to, else itself. */
static const json_t *resolve(const json_t *node)
{
    const char *place = json_string_value(json_object_get(node, "$ref"));
    if (place == NULL)
        return node;
    assert_true(strncmp(place, "#/$defs/", 8) == 0);
    return resolve(json_object_get(json_object_get(schema, "$defs"), place + 8));
}

static bool lists(const json_t *names, const char *name)
{
    size_t i;
    const json_t *one;
    json_array_foreach(names, i, one) if (json_is_string(one) && strcmp(json_string_value(one), name) == 0) return true;
    return false;
}

static const char *type_of(cm_field_kind kind)
{
    switch (kind) {
    case CM_FIELD_TEXT:
    case CM_FIELD_SHORT_TEXT:
    case CM_FIELD_WORD: return "string";
    case CM_FIELD_NUMBER:
    case CM_FIELD_FIGURE: return "number";
    case CM_FIELD_WHOLE: return "integer";
    case CM_FIELD_BOOL: return "boolean";
    case CM_FIELD_NUMBERS:
    case CM_FIELD_PLACES:
    case CM_FIELD_PAIR:
    case CM_FIELD_TEXTS:
    case CM_FIELD_NAMES:
    case CM_FIELD_ITEMS: return "array";
    case CM_FIELD_OBJECT:
    case CM_FIELD_PART:
    case CM_FIELD_MAP:
    case CM_FIELD_JSON: return "object";
    }
    return "";
}

/* A type, or one of several; a constant and a list of words have their own. */
static bool has_type(const json_t *node, const char *type)
{
    const json_t *types = json_object_get(node, "type"), *constant = json_object_get(node, "const");
    if (types == NULL && strcmp(type, "null") != 0)
        return json_object_get(node, "enum") != NULL || constant != NULL;
    return json_is_string(types) ? strcmp(json_string_value(types), type) == 0 : lists(types, type);
}

static void check_words(const char *path, const cm_field *field, const json_t *node)
{
    const json_t *words = json_object_get(node, "enum");
    for (size_t i = 0; i < json_array_size(words); i++) {
        bool found = false;
        for (int word = 0; word < field->words->count; word++)
            found |= strcmp(field->words->text(word), json_string_value(json_array_get(words, i))) == 0;
        if (!found)
            fault(path, field->name, "has a word that the table does not have");
    }
    if (json_array_size(words) == 0)
        fault(path, field->name, "has no words in the schema");
}

static void check_rows(const char *path, const cm_fields *fields, const json_t *object);

static void check_field(const char *path, const cm_field *field, const json_t *object, const json_t *node)
{
    char below[256];
    snprintf(below, sizeof below, "%s.%s", path, field->name);
    const bool always = !(field->rules & (CM_OPTIONAL | CM_OMITTED)) && field->when == NULL;
    const json_t *required = json_object_get(object, "required");
    const bool described = required != NULL || json_object_get(object, "properties") != NULL;
    members++;
    if (always && described && !lists(required, field->name))
        fault(path, field->name, "must be there by the table, and need not by the schema");
    if ((field->rules & CM_OMITTED || field->when != NULL) && lists(required, field->name))
        fault(path, field->name, "may be left out by the table, and may not by the schema");
    if (node == NULL)
        return;
    if (!has_type(node, type_of(field->kind)))
        fault(path, field->name, "is of another type");
    if (has_type(node, "null") && !(field->rules & CM_NULLABLE))
        fault(path, field->name, "may be null by the schema alone");
    if (!has_type(node, "null") && (field->rules & (CM_NULLABLE | CM_OPTIONAL)) == CM_NULLABLE)
        fault(path, field->name, "may be null by the table alone");
    if (field->kind == CM_FIELD_WORD)
        check_words(path, field, node);
    if (field->kind == CM_FIELD_ITEMS)
        check_rows(below, field->of, resolve(json_object_get(node, "items")));
    if (field->kind == CM_FIELD_OBJECT || field->kind == CM_FIELD_PART)
        check_rows(below, field->of, node);
}

/* Of an object in the schema; one that lists no members says only what it needs. */
static void check_rows(const char *path, const cm_fields *fields, const json_t *object)
{
    const json_t *properties = json_object_get(object, "properties"),
                 *any = json_object_get(object, "additionalProperties");
    for (size_t i = 0; i < fields->count; i++) {
        const cm_field *field = &fields->rows[i];
        if (field->name == NULL) {
            check_rows(path, field->of, object);
            continue;
        }
        json_t *member = json_object_get(properties, field->name);
        json_object_set_new(member, "row", json_true());
        const json_t *node = member == NULL && json_is_object(any) ? any : member;
        if (node == NULL && json_is_object(properties) && !lists(json_object_get(object, "required"), field->name))
            fault(path, field->name, "is not in the schema");
        check_field(path, field, object, node != NULL ? resolve(node) : NULL);
    }
}

/* Members that no row stands for: several tables may share a part of the schema. */
static void find_rowless(const char *path, json_t *node)
{
    const char *name;
    json_t *below;
    char place[256];
    json_object_foreach(node, name, below)
    {
        snprintf(place, sizeof place, "%s.%s", path, name);
        if (json_is_object(below))
            find_rowless(place, below);
    }
    json_object_foreach(json_object_get(node, "properties"), name, below) if (json_object_get(below, "row") == NULL)
        fault(path, name, "has no row in the table");
}

static void the_schema_has_the_fields(void **state)
{
    (void)state;
    json_error_t error;
    schema = json_load_file(CM_TEST_SOURCE_DIR "/docs/catmint.metrics-1.schema.json", 0, &error);
    if (schema == NULL)
        fail_msg("%s", error.text);
    check_rows("", &cm_result_fields, schema);
    json_object_del(json_object_get(json_object_get(schema, "$defs"), "metric"), "then");
    json_object_del(json_object_get(json_object_get(schema, "$defs"), "metric"), "if");
    find_rowless("", schema);
    json_decref(schema);
    assert_int_equal(faults, 0);
    assert_true(members > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_schema_has_the_fields)};
    return cmocka_run_group_tests_name("result_fields", tests, NULL, NULL);
}
