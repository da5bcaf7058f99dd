/* json_dumpf would not do: it needs the whole document and writes each number on a line of its own. For the results of
 * a million events it took 7.8 times the time of json_writer with this file, wrote 1.33 times the bytes, and held 1,110
 * MB instead of 4; for 200,000 events 6.7 to 7.1 times the time in three runs (22 November 2026,
 * tests/bench/bench_json.c). */
#include "core/json.h"

enum { LINE = 116, INDENT = 2, FLUSH_AT = 1 << 16 };

typedef struct buffer {
    char *bytes;
    size_t size, capacity;
} buffer;

/* An open object or array. Outer ones are broken over lines; inner ones are undecided, their text pending as a line. */
typedef struct frame {
    bool object;
    size_t limit; /* largest inline length that stays on its line */
    size_t base;  /* its inline length is the layout's total less this */
    size_t count; /* members so far */
    size_t key;   /* measured length of the last key */
    size_t at;    /* column, if it is a broken array */
    size_t start; /* start of its pending text */
    size_t first; /* index of its first pending member */
} frame;

/* A member of an undecided container. */
typedef struct member {
    size_t begin; /* in the pending text, with its key */
    size_t length;
    bool container;
} member;

struct cm_json_layout {
    FILE *stream;
    buffer out, pending;
    frame *frames;
    size_t depth, frame_capacity;
    size_t decided; /* frames that are broken */
    member *members;
    size_t member_count, member_capacity;
    size_t total; /* inline length of all pending text so far */
    bool failed;
};

static void append_text(cm_json_layout *layout, buffer *to, const char *text, size_t length)
{
    char *bytes = !layout->failed ? cm_grow(to->bytes, to->size + length + 1, &to->capacity, 1) : NULL;
    layout->failed = bytes == NULL;
    if (layout->failed)
        return;
    to->bytes = bytes;
    memcpy(to->bytes + to->size, text, length);
    to->size += length;
}

static void write_out(cm_json_layout *layout, const char *text, size_t length)
{
    append_text(layout, &layout->out, text, length);
    if (layout->out.size < FLUSH_AT)
        return;
    fwrite(layout->out.bytes, 1, layout->out.size, layout->stream);
    layout->out.size = 0;
}

static void new_line(cm_json_layout *layout, size_t depth)
{
    static const char blanks[] = "\n                                ";
    size_t indent = depth * INDENT, part = indent < sizeof blanks - 2 ? indent : sizeof blanks - 2;
    write_out(layout, blanks, part + 1);
    for (; part < indent; part++)
        write_out(layout, " ", 1);
}

/* Writes comma and line break before a member of a broken container. */
static void write_break(cm_json_layout *layout, size_t depth, size_t length, bool container)
{
    frame *of = &layout->frames[depth];
    if (of->count++ > 0)
        write_out(layout, ",", 1);
    if (of->object || container || of->at + length + 2 > LINE) {
        new_line(layout, depth + 1);
        of->at = (depth + 1) * INDENT;
    } else {
        write_out(layout, " ", 1);
    }
    of->at = container ? LINE : of->at + length + 2;
}

/* Removes the pending text before `begin`, and the members before `first`. */
static void forget_pending(cm_json_layout *layout, size_t begin, size_t first)
{
    layout->pending.size -= begin;
    memmove(layout->pending.bytes, layout->pending.bytes + begin, layout->pending.size);
    layout->member_count -= first;
    memmove(layout->members, layout->members + first, layout->member_count * sizeof *layout->members);
    for (size_t i = 0; i < layout->member_count; i++)
        layout->members[i].begin -= begin;
    for (size_t i = layout->decided; i < layout->depth; i++) {
        layout->frames[i].start -= begin;
        layout->frames[i].first -= first;
    }
}

/* Breaks the outermost undecided container: writes its pending members, up to an open container in it. */
static void break_outermost(cm_json_layout *layout)
{
    size_t depth = layout->decided++;
    frame *broken = &layout->frames[depth], *inner = depth + 1 < layout->depth ? broken + 1 : NULL;
    size_t count = inner != NULL ? inner->first : layout->member_count;
    size_t end = inner != NULL ? inner->start : layout->pending.size;
    write_out(layout, broken->object ? "{" : "[", 1);
    broken->count = 0;
    for (size_t i = 0; i < count; i++) {
        const member *now = &layout->members[i];
        size_t behind = i + 1 < count ? now[1].begin - 2 : end; /* without ", " */
        write_break(layout, depth, now->length, now->container);
        write_out(layout, layout->pending.bytes + now->begin, behind - now->begin);
    }
    forget_pending(layout, end, count);
}

static void add_length(cm_json_layout *layout, size_t length)
{
    layout->total += length;
    while (!layout->failed && layout->decided < layout->depth) {
        const frame *outermost = &layout->frames[layout->decided];
        if (outermost->count == 0 || layout->total - outermost->base <= outermost->limit)
            break;
        break_outermost(layout);
    }
}

/* Adds a comma, and a record of the member that follows, to the pending text. */
static void begin_pending(cm_json_layout *layout)
{
    frame *of = &layout->frames[layout->depth - 1];
    if (of->count++ > 0)
        append_text(layout, &layout->pending, ", ", 2);
    if (layout->failed)
        return;
    layout->failed = !CM_GROW(layout->members, layout->member_count + 1, &layout->member_capacity);
    if (layout->failed)
        return;
    layout->members[layout->member_count++] = (member){.begin = layout->pending.size};
}

static bool is_pending(const cm_json_layout *layout)
{
    return layout->decided < layout->depth;
}

static bool in_object(const cm_json_layout *layout)
{
    return layout->depth > 0 && layout->frames[layout->depth - 1].object;
}

void cm_json_layout_key(cm_json_layout *layout, const char *text, size_t length, size_t measured)
{
    if (layout->failed)
        return;
    bool pending = is_pending(layout);
    layout->frames[layout->depth - 1].key = measured;
    if (pending)
        begin_pending(layout);
    else
        write_break(layout, layout->depth - 1, 0, false);
    append_text(layout, pending ? &layout->pending : &layout->out, text, length);
    append_text(layout, pending ? &layout->pending : &layout->out, ": ", 2);
}

/* The length that a member adds to its container's inline length. */
static size_t measure_member(const cm_json_layout *layout, size_t length)
{
    return length + (in_object(layout) ? layout->frames[layout->depth - 1].key + 6 : 2);
}

void cm_json_layout_scalar(cm_json_layout *layout, const char *text, size_t length, size_t measured)
{
    if (layout->failed)
        return;
    if (!is_pending(layout)) {
        if (layout->depth > 0 && !in_object(layout))
            write_break(layout, layout->depth - 1, measured, false);
        write_out(layout, text, length);
        return;
    }
    if (!in_object(layout))
        begin_pending(layout);
    append_text(layout, &layout->pending, text, length);
    if (layout->failed)
        return;
    layout->members[layout->member_count - 1].length = measured;
    add_length(layout, measure_member(layout, measured));
}

void cm_json_layout_begin(cm_json_layout *layout, bool object)
{
    size_t depth = layout->depth;
    if (layout->failed)
        return;
    layout->failed = !CM_GROW(layout->frames, depth + 1, &layout->frame_capacity);
    if (layout->failed)
        return;
    bool pending = is_pending(layout);
    size_t length = depth > 0 && pending ? measure_member(layout, 2) : 2;
    size_t taken = depth * INDENT + (in_object(layout) ? layout->frames[depth - 1].key + 5 : 1);
    if (depth > 0 && !in_object(layout)) {
        if (pending)
            begin_pending(layout);
        else
            write_break(layout, depth - 1, 0, true);
    }
    if (layout->failed)
        return;
    if (pending)
        layout->members[layout->member_count - 1].container = true;
    layout->frames[layout->depth++] = (frame){.object = object,
                                              .limit = depth == 0     ? 2
                                                       : taken < LINE ? LINE - taken
                                                                      : 0,
                                              .base = layout->total + length - 2,
                                              .at = LINE, /* the first member begins a line */
                                              .start = layout->pending.size,
                                              .first = layout->member_count};
    append_text(layout, &layout->pending, object ? "{" : "[", 1);
    add_length(layout, length);
}

void cm_json_layout_end(cm_json_layout *layout)
{
    if (layout->failed)
        return;
    size_t depth = --layout->depth;
    const frame *ended = &layout->frames[depth];
    const char *bracket = ended->object ? "}" : "]";
    if (layout->decided > depth) {
        layout->decided = depth;
        new_line(layout, depth);
        write_out(layout, bracket, 1);
        return;
    }
    append_text(layout, &layout->pending, bracket, 1);
    layout->member_count = ended->first;
    if (layout->decided < depth)
        return;
    write_out(layout, layout->pending.bytes, layout->pending.size);
    layout->pending.size = 0;
}

cm_json_layout *cm_json_layout_create(FILE *stream)
{
    cm_json_layout *layout = calloc(1, sizeof *layout);
    if (layout != NULL)
        layout->stream = stream;
    return layout;
}

bool cm_json_layout_finish(cm_json_layout *layout)
{
    if (layout == NULL)
        return false;
    bool written = !layout->failed;
    if (written && layout->out.size > 0)
        fwrite(layout->out.bytes, 1, layout->out.size, layout->stream);
    CM_FREE(layout->out.bytes, layout->pending.bytes, layout->frames, layout->members, layout);
    return written;
}
