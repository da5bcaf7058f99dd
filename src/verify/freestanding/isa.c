/* Instruction sets as they are named to compilers. */
#include "verify/freestanding/freestanding.h"

static void add_word(cm_emit_isa *isa, const char *word, size_t length)
{
    cm_text_append(isa->words, sizeof isa->words, "", " %.*s ", (int)length, word);
}

bool cm_emit_isa_has(const cm_emit_isa *isa, const char *words)
{
    bool has = true;
    for (const char *at = words; has && *at != '\0'; at += strspn(at, " ")) {
        char word[CM_ISA_TEXT_SIZE];
        size_t length = strcspn(at, " ");
        snprintf(word, sizeof word, " %.*s ", (int)length, at);
        has = strstr(isa->words, word) != NULL;
        at += length;
    }
    return has;
}

/* Reads the words behind `mark`, each begun by `first` unless that is NUL; false if something else is there. */
static bool take_words(cm_emit_isa *isa, const char *at, char mark, char first)
{
    static const char allowed[] = "abcdefghijklmnopqrstuvwxyz0123456789";
    while (*at == mark) {
        size_t length = strspn(++at, allowed);
        if (length == 0 || (first != '\0' && *at != first))
            return false;
        add_word(isa, at, length);
        at += length;
    }
    return *at == '\0';
}

/* Reads the letters of RISC-V: all of "imafdcg", i or g and m among them. */
static bool take_riscv(cm_emit_isa *isa, const char *at)
{
    isa->family = "riscv";
    isa->sources = "riscv64";
    isa->wide = strncmp(at, "rv64", 4) == 0;
    isa->architecture = isa->wide ? "riscv64" : "riscv32";
    isa->counters = 29;
    isa->fixed[0] = "mcycle";
    isa->fixed[1] = "minstret";
    if (isa->wide)
        add_word(isa, "64", 2);
    for (at += 4; *at != '\0' && *at != '_'; at++) {
        if (strchr("imafdcg", *at) == NULL)
            return false;
        char one[] = {*at, '\0'};
        for (const char *letter = *at == 'g' ? "imafd" : *at == 'd' ? "df" : one; *letter != '\0'; letter++)
            add_word(isa, letter, 1);
    }
    return cm_emit_isa_has(isa, "i m") && take_words(isa, at, '_', 'z');
}

cm_status cm_emit_isa_parse(const char *text, cm_emit_isa *isa, cm_error *error)
{
    *isa = (cm_emit_isa){.family = "aarch64",
                         .architecture = "aarch64",
                         .sources = "aarch64",
                         .wide = true,
                         .counters = 31,
                         .fixed = {"PMCCNTR"}};
    bool fits = strlen(text) < sizeof isa->text;
    snprintf(isa->text, sizeof isa->text, "%s", text);
    if (fits && (strncmp(text, "rv32", 4) == 0 || strncmp(text, "rv64", 4) == 0))
        fits = take_riscv(isa, text);
    else
        fits = fits && strncmp(text, "aarch64", 7) == 0 && take_words(isa, text + 7, '+', '\0');
    if (fits)
        return CM_OK;
    return CM_FAIL(error, CM_BAD_ARGUMENT,
                   "'%.100s' is no instruction set to emit kernels for: expected rv32 or rv64 with the letters i and "
                   "m, or g, and any of a, f, d and c, then extensions as _zfh; or aarch64, then features as +lse",
                   text);
}
