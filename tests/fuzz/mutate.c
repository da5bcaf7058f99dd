/* Changes inputs as their formats are built, which the fuzzer, that knows bytes alone, would seldom hit upon: a part
 * that is JSON stays JSON while values, types, lengths and nesting change; others are changed by lines and fields. */
#include "fuzz.h"

#include <jansson.h>
#include <stdbool.h>
#include <string.h>

#include "core/system.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint64_t state;

static size_t pick(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return below > 0 ? (size_t)(state >> 11) % below : 0;
}

/* A text that grows. */
typedef struct output {
    uint8_t *data;
    size_t size, most;
} output;

static void put(output *to, const void *data, size_t size)
{
    size = size < to->most - to->size ? size : to->most - to->size;
    if (size > 0)
        memcpy(to->data + to->size, data, size);
    to->size += size;
}

static void put_text(output *to, const char *text)
{
    put(to, text, strlen(text));
}

/* ---- JSON ---- */

static const char *const atoms[] = {"null",
                                    "true",
                                    "false",
                                    "0",
                                    "-1",
                                    "1",
                                    "2",
                                    "0.5",
                                    "-0.0",
                                    "1e308",
                                    "-1e308",
                                    "5e-324",
                                    "9007199254740993",
                                    "2147483648",
                                    "4294967296",
                                    "9223372036854775807",
                                    "-9223372036854775808",
                                    "\"\"",
                                    "\"x\"",
                                    "\"PAPI_TOT_INS\"",
                                    "\"iterations\"",
                                    "\"a,b\\\"c\"",
                                    "\"\\u001b[31m\\n\"",
                                    "\"\\ud83d\\ude00\"",
                                    "\"../up/manifest.json\"",
                                    "\"/\"",
                                    "\"..\"",
                                    "\"%s%n\"",
                                    "{}",
                                    "[]",
                                    "[[]]",
                                    "[0,0,0]"};

/* A value in its place. */
typedef struct spot {
    json_t *parent;
    const char *key; /* NULL: of an array */
    size_t index;
    json_t *value;
} spot;

/* Each value has the same chance. */
static void choose(json_t *value, spot at, size_t *seen, spot *chosen)
{
    at.value = value;
    if (pick(++*seen) == 0)
        *chosen = at;
    const char *key;
    json_t *member;
    size_t index;
    json_object_foreach(value, key, member) choose(member, (spot){value, key, 0, NULL}, seen, chosen);
    json_array_foreach(value, index, member) choose(member, (spot){value, NULL, index, NULL}, seen, chosen);
}

static spot any(json_t *document)
{
    spot chosen = {0};
    size_t seen = 0;
    choose(document, (spot){0}, &seen, &chosen);
    return chosen;
}

static void replace(json_t **document, const spot *at, json_t *value)
{
    if (value == NULL)
        return;
    if (at->parent == NULL) {
        json_decref(*document);
        *document = value;
    } else if (at->key != NULL) {
        json_object_set_new(at->parent, at->key, value);
    } else {
        json_array_set_new(at->parent, at->index, value);
    }
}

static json_t *tweak(const json_t *value)
{
    static const double factors[] = {-1.0, 2.0, 0.5, 1e10, 1e-10, 1.0000000001, 0.0};
    uint8_t text[256];
    if (json_is_integer(value))
        return json_integer((json_int_t)((uint64_t)json_integer_value(value) + pick(5) - 2));
    if (json_is_real(value))
        return json_real(json_real_value(value) * factors[pick(sizeof factors / sizeof factors[0])]);
    size_t size = json_string_length(value);
    if (!json_is_string(value) || size > sizeof text)
        return NULL;
    memcpy(text, json_string_value(value), size);
    return json_stringn((char *)text, LLVMFuzzerMutate(text, size, sizeof text)); /* NULL where that is not UTF-8 */
}

static json_t *wrap(json_t *value)
{
    json_t *wrapped = json_deep_copy(value);
    for (size_t depth = pick(4) == 0 ? pick(2100) : 1 + pick(20); depth > 0; depth--)
        wrapped = pick(2) == 0 ? json_pack("[o]", wrapped) : json_pack("{s:o}", "x", wrapped);
    return wrapped;
}

static void repeat(const spot *at)
{
    size_t count = pick(8) == 0 ? pick(40) : 1;
    for (size_t i = 0; i < count && json_is_array(at->parent); i++)
        json_array_insert_new(at->parent, at->index, json_deep_copy(at->value));
}

static void change_json(json_t **document)
{
    const spot at = any(*document), other = any(*document);
    switch (pick(9)) {
    case 0: replace(document, &at, json_loads(atoms[pick(sizeof atoms / sizeof *atoms)], JSON_DECODE_ANY, NULL)); break;
    case 1:
        if (at.key != NULL)
            json_object_del(at.parent, at.key);
        else
            json_array_remove(at.parent, at.index);
        break;
    case 2: repeat(&at); break;
    case 3: replace(document, &at, json_deep_copy(other.value)); break;
    case 4:
        if (pick(8) == 0)
            replace(document, &at, wrap(at.value));
        break;
    case 5:
        if (json_is_object(at.value) && other.key != NULL)
            json_object_set_new(at.value, other.key, json_deep_copy(other.value));
        break;
    case 6:
        if (json_is_array(at.value))
            json_array_append_new(at.value, json_deep_copy(other.value));
        break;
    default: replace(document, &at, tweak(at.value)); break;
    }
}

static bool mutate_json(const fuzz_part *part, output *to)
{
    json_t *document = json_loadb((const char *)part->data, part->size, JSON_DECODE_ANY, NULL);
    if (document == NULL)
        return false;
    for (size_t changes = 1 + pick(3); changes > 0; changes--)
        change_json(&document);
    char *text = json_dumps(document, JSON_ENCODE_ANY | (pick(8) == 0 ? JSON_INDENT(1) : JSON_COMPACT));
    json_decref(document);
    if (text != NULL)
        put_text(to, text);
    free(text);
    return text != NULL;
}

/* ---- lines of fields ---- */

static const char *const fields[] = {"",
                                     "0",
                                     "1",
                                     "2",
                                     "-1",
                                     "-0",
                                     "0.5",
                                     "1e308",
                                     "1e309",
                                     "1e-400",
                                     "nan",
                                     "inf",
                                     "0x10",
                                     "1,5",
                                     "+1",
                                     " 1 ",
                                     "4294967295",
                                     "4294967296",
                                     "9007199254740993",
                                     "18446744073709551615",
                                     "18446744073709551616",
                                     "99999999999999999999999999999999999999999999999999999999999999999999999",
                                     "iterations",
                                     "\"iterations\"",
                                     "event",
                                     "counted",
                                     "A",
                                     "\"A\"",
                                     "\"A\"\"B\"",
                                     "\"two\nlines\"",
                                     "\"",
                                     "#",
                                     "\xc3\xa9",
                                     "\xff",
                                     "\t",
                                     " A",
                                     "*",
                                     "[!a"};

typedef struct lines {
    size_t count;
    fuzz_part line[256];
} lines;

static void cut_lines(const fuzz_part *part, lines *all)
{
    const uint8_t *at = part->data, *end = part->data + part->size;
    for (all->count = 0; at < end && all->count < 256; all->count++) {
        const uint8_t *feed = memchr(at, '\n', (size_t)(end - at));
        const uint8_t *next = feed != NULL && all->count < 255 ? feed + 1 : end;
        all->line[all->count] = (fuzz_part){at, (size_t)(next - at)};
        at = next;
    }
}

/* Where the field begins; *length without what ends it. */
static size_t any_field(const fuzz_part *line, size_t *length)
{
    size_t seen = 0, chosen = 0;
    for (size_t at = 0; at < line->size; at++)
        if ((at == 0 || strchr(",\t", line->data[at - 1]) != NULL) && pick(++seen) == 0)
            chosen = at;
    *length = 0;
    while (chosen + *length < line->size && strchr(",\t\r\n", line->data[chosen + *length]) == NULL)
        ++*length;
    return chosen;
}

static void put_with_field(output *to, const fuzz_part *line, const fuzz_part *other)
{
    size_t length, others, begin = any_field(line, &length), theirs = any_field(other, &others);
    put(to, line->data, begin);
    if (pick(3) == 0)
        put(to, other->data + theirs, others);
    else
        put_text(to, fields[pick(sizeof fields / sizeof *fields)]);
    if (pick(4) == 0)
        put(to, ",", 1);
    put(to, line->data + begin + length, line->size - begin - length);
}

static void put_changed(output *to, const lines *all, size_t place)
{
    const fuzz_part *line = &all->line[place], *other = &all->line[pick(all->count)];
    static const char *const bits[] = {"\r\n", "\n", "#\n", "# a: b\n", ",", "\r", "\xef\xbb\xbf", "\"", "\n\n"};
    switch (pick(8)) {
    case 0: break;
    case 1: put(to, other->data, other->size); break;
    case 2:
        put(to, line->data, line->size);
        put(to, line->data, line->size);
        break;
    case 3:
        put(to, line->data, line->size);
        put(to, other->data, other->size);
        break;
    case 4:
        if (pick(4) == 0)
            put(to, "\0", 1);
        else
            put_text(to, bits[pick(sizeof bits / sizeof *bits)]);
        put(to, line->data, line->size);
        break;
    default: put_with_field(to, line, other); break;
    }
}

static void mutate_lines(const fuzz_part *part, output *to)
{
    static lines all;
    cut_lines(part, &all);
    size_t place = pick(all.count), column = pick(16);
    if (column == 0) /* the same in each line: a column more, or another one */
        for (size_t i = 0; i < all.count; i++) {
            size_t end = all.line[i].size - (all.line[i].size > 0 && all.line[i].data[all.line[i].size - 1] == '\n');
            put(to, all.line[i].data, end);
            put_text(to, i == 0 ? ",new" : ",1");
            put(to, all.line[i].data + end, all.line[i].size - end);
        }
    for (size_t i = 0; column != 0 && i < all.count; i++)
        if (i == place)
            put_changed(to, &all, place);
        else
            put(to, all.line[i].data, all.line[i].size);
}

static void mutate_bytes(const fuzz_part *part, output *to)
{
    size_t size = part->size < to->most - to->size ? part->size : to->most - to->size;
    put(to, part->data, size);
    to->size += LLVMFuzzerMutate(to->data + to->size - size, size, to->most - to->size + size) - size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    fuzz_part parts[FUZZ_MOST_PARTS];
    state = seed * 0x9E3779B97F4A7C15u + 1;
    for (size_t i = 0; i < 3; i++)
        (void)pick(1);
    output to = {malloc(max_size + 1), 0, max_size};
    size_t count = fuzz_split(data, size, FUZZ_MOST_PARTS, parts), chosen = pick(count);
    if (to.data == NULL || size == 0 || pick(16) == 0) {
        free(to.data);
        return LLVMFuzzerMutate(data, size, max_size);
    }
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            put_text(&to, FUZZ_BETWEEN);
        if (i != chosen)
            put(&to, parts[i].data, parts[i].size);
        else if (pick(8) == 0 || !mutate_json(&parts[i], &to))
            pick(4) == 0 ? mutate_bytes(&parts[i], &to) : mutate_lines(&parts[i], &to);
    }
    memcpy(data, to.data, to.size);
    free(to.data);
    return to.size;
}

/* In place of the library's: small tables are read in less time than threads take to start. */
void cm_on_all_cores(void *(*work)(void *), void *context)
{
    (void)work(context);
}
