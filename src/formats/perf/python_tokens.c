/* Splits Python into tokens. */
#include "formats/perf/perf.h"

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static void end_line(cm_python_tokens *tokens)
{
    tokens->at++;
    tokens->line++;
    tokens->line_text = tokens->at;
}

/* Skips blanks, comments, and ends of lines that end no statement. */
static void skip_blank(cm_python_tokens *tokens)
{
    for (;;) {
        if (*tokens->at == '#')
            tokens->at += strcspn(tokens->at, "\n");
        else if (*tokens->at == '\\' && tokens->at[1] == '\n') {
            tokens->at++;
            end_line(tokens);
        } else if (*tokens->at == '\n' && tokens->depth > 0)
            end_line(tokens);
        else if (*tokens->at == ' ' || *tokens->at == '\t' || *tokens->at == '\r' || *tokens->at == '\f')
            tokens->at++;
        else
            return;
    }
}

/* Reads the text between quotation marks, the first of which is here. */
static const char *read_string(cm_python_tokens *tokens, cm_python_token *token)
{
    const char mark = *tokens->at;
    token->kind = CM_PYTHON_STRING;
    token->quotes = tokens->at[1] == mark && tokens->at[2] == mark ? 3 : 1;
    tokens->at += token->quotes;
    token->text = tokens->at;
    for (; *tokens->at != '\0'; tokens->at++) {
        bool ends = *tokens->at == mark && (token->quotes == 1 || (tokens->at[1] == mark && tokens->at[2] == mark));
        if (ends) {
            token->length = (size_t)(tokens->at - token->text);
            tokens->at += token->quotes;
            return NULL;
        }
        if (*tokens->at == '\\' && tokens->at[1] != '\0')
            tokens->at++;
        if (*tokens->at == '\n') {
            if (token->quotes == 1 && tokens->at[-1] != '\\')
                break;
            tokens->line++;
            tokens->line_text = tokens->at + 1;
        }
    }
    return "a string that does not end";
}

/* Reads a sign, and counts parentheses. */
static const char *read_sign(cm_python_tokens *tokens, cm_python_token *token)
{
    static const char *const signs[] = {"**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "==", "!=", "<=",
                                        ">=",  "+=",  "-=",  "*=",  "/=",  "%=", "&=", "|=", "^=", "->", ":="};
    token->kind = CM_PYTHON_OPERATOR;
    token->length = 1;
    for (size_t i = 0; i < CM_COUNT_OF(signs) && token->length == 1; i++)
        if (strncmp(tokens->at, signs[i], strlen(signs[i])) == 0)
            token->length = strlen(signs[i]);
    char sign = *tokens->at;
    tokens->at += token->length;
    if (strchr("([{", sign) != NULL)
        tokens->depth++;
    if (strchr(")]}", sign) != NULL && tokens->depth-- == 0) {
        tokens->depth = 0;
        return "a parenthesis that nothing opens";
    }
    return strchr("$?!`", sign) != NULL && token->length == 1 ? "no sign of Python's" : NULL;
}

const char *cm_python_next(cm_python_tokens *tokens, cm_python_token *token)
{
    skip_blank(tokens);
    *token = (cm_python_token){.text = tokens->at,
                               .line = tokens->line,
                               .column = cm_lines_column(tokens->line_text, (size_t)(tokens->at - tokens->line_text))};
    if (*tokens->at == '\0') {
        token->kind = CM_PYTHON_END;
        return tokens->depth > 0 ? "a parenthesis that does not end" : NULL;
    }
    if (*tokens->at == '\n') {
        token->kind = CM_PYTHON_NEWLINE;
        end_line(tokens);
        return NULL;
    }
    size_t prefix = strspn(tokens->at, "rRfFbBuU");
    if (prefix <= 2 && (tokens->at[prefix] == '"' || tokens->at[prefix] == '\'')) {
        token->raw = memchr(tokens->at, 'r', prefix) != NULL || memchr(tokens->at, 'R', prefix) != NULL;
        token->formatted = memchr(tokens->at, 'f', prefix) != NULL || memchr(tokens->at, 'F', prefix) != NULL;
        tokens->at += prefix;
        return read_string(tokens, token);
    }
    bool number = isdigit((unsigned char)*tokens->at) || (*tokens->at == '.' && isdigit((unsigned char)tokens->at[1]));
    if (!number && !is_word(*tokens->at))
        return read_sign(tokens, token);
    token->kind = number ? CM_PYTHON_NUMBER : CM_PYTHON_NAME;
    for (const char *begin = tokens->at; is_word(*tokens->at) || (number && *tokens->at == '.') ||
                                         (number && (*tokens->at == '-' || *tokens->at == '+') && tokens->at > begin &&
                                          (tokens->at[-1] == 'e' || tokens->at[-1] == 'E'));)
        tokens->at++;
    token->length = (size_t)(tokens->at - token->text);
    return NULL;
}

cm_status cm_python_refuse(const cm_python_reader *reader, const char *text)
{
    return cm_error_set(reader->error, CM_BAD_INPUT, reader->formulas->file, reader->token.line, reader->token.column,
                        "%s", text);
}

cm_status cm_python_step(cm_python_reader *reader)
{
    const char *fault = cm_python_next(&reader->tokens, &reader->token);
    reader->broken = reader->broken || fault != NULL;
    return fault == NULL ? CM_OK : cm_python_refuse(reader, fault);
}

bool cm_python_is(const cm_python_reader *reader, const char *text)
{
    const cm_python_token *token = &reader->token;
    return (token->kind == CM_PYTHON_NAME || token->kind == CM_PYTHON_OPERATOR) && token->length == strlen(text) &&
           strncmp(token->text, text, token->length) == 0;
}

cm_python_value cm_python_unread(const cm_python_reader *reader, const char *format, ...)
{
    char text[256];
    CM_PRINT_ARGUMENTS(cm_text_vprint, text, format);
    cm_arena *arena = (cm_arena *)&reader->arena;
    const char *kept = cm_arena_text(arena, text);
    return (cm_python_value){CM_PYTHON_UNREAD, kept != NULL ? kept : "no memory for the reason", reader->token.line};
}

cm_python_value cm_python_find(const cm_python_reader *reader, const char *name)
{
    for (size_t i = reader->variable_count; i-- > 0;)
        if (strcmp(reader->variables[i].name, name) == 0)
            return reader->variables[i].value;
    return cm_python_unread(reader, "'%.60s' has no value that is known", name);
}
