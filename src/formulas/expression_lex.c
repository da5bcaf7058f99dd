/* Expressions cut into tokens. */
#include "formulas/formulas.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool continues_name(const cm_lexer *lexer, char c)
{
    if (is_letter(c) || is_digit(c))
        return true;
    if (c == '\0')
        return false;
    return strchr(lexer->dialect->name_characters, c) != NULL ||
           (lexer->name_characters != NULL && strchr(lexer->name_characters, c) != NULL);
}

/* The length of the UTF-8 character at `text`, as far as its bytes exist. */
static size_t character_length(const char *text)
{
    size_t length = 1;
    if (((unsigned char)text[0] & 0xC0) == 0xC0)
        while (length < 4 && cm_utf8_continues(text[length]))
            length++;
    return length;
}

static void advance_lexer(cm_lexer *lexer, size_t bytes)
{
    for (const char *end = lexer->at + bytes; lexer->at < end; lexer->at++)
        if (*lexer->at == '\n')
            lexer->location = (cm_expression_location){lexer->location.line + 1, 1};
        else if (!cm_utf8_continues(*lexer->at))
            lexer->location.column++;
}

/* 0 if there is no number. */
static size_t number_length(const char *text)
{
    if (!is_digit(text[0]) && !(text[0] == '.' && is_digit(text[1])))
        return 0;
    size_t length = strspn(text, "0123456789");
    if (text[length] == '.')
        length += 1 + strspn(text + length + 1, "0123456789");
    if (text[length] == 'e' || text[length] == 'E') {
        size_t sign = text[length + 1] == '+' || text[length + 1] == '-';
        size_t digits = strspn(text + length + 1 + sign, "0123456789");
        length += digits != 0 ? 1 + sign + digits : 0;
    }
    return length;
}

/* The length of "[0]"; 0 if there is none. */
static size_t index_length(const char *text)
{
    size_t digits = text[0] == '[' ? strspn(text + 1, "0123456789") : 0;
    return digits > 0 && text[digits + 1] == ']' ? digits + 2 : 0;
}

/* The length of "/event=0xc2,umask=0x3/", an event given by numbers behind the name of its PMU; 0 if there is none. */
static size_t terms_length(const char *text)
{
    size_t word = text[0] == '/' ? 1 + strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_0123456789") : 0;
    if (word < 2 || text[word] != '=' || text[word + 1] == '=')
        return 0;
    size_t end = word + strcspn(text + word, "/ \t\r\n'\"");
    return text[end] == '/' ? end + 1 : 0;
}

/* 0 if there is no name. */
static size_t name_length(const cm_lexer *lexer, const char *text)
{
    size_t length = 0;
    if (lexer->dialect->literal_characters != NULL && text[0] == '#') {
        for (length = 1; is_letter(text[length]) || is_digit(text[length]) ||
                         (text[length] != '\0' && strchr(lexer->dialect->literal_characters, text[length]) != NULL);
             length++)
            ;
        return length;
    }
    if (!lexer->dialect->symbols) {
        if (is_letter(text[0]))
            while (continues_name(lexer, text[length]))
                length++;
        if (length > 0 && lexer->dialect->quotes)
            length += terms_length(text + length);
        return length + (length > 0 && lexer->dialect->indices ? index_length(text + length) : 0);
    }
    for (;;) {
        if (text[length] == '\\' && text[length + 1] != '\0')
            length += 1 + character_length(text + length + 1);
        else if (continues_name(lexer, text[length]))
            length++;
        else
            return length;
    }
}

bool cm_token_is(const cm_token *token, const char *text)
{
    return strlen(text) == token->length && strncmp(token->text, text, token->length) == 0;
}

cm_token cm_lexer_next(cm_lexer *lexer)
{
    advance_lexer(lexer, strspn(lexer->at, " \t\r\n"));
    const char *text = lexer->at;
    cm_token token = {CM_TOKEN_SYMBOL, text, character_length(text), lexer->location};
    size_t number = number_length(text), name = name_length(lexer, text), quotes = 0;
    if (text[0] == '\0') {
        token.kind = CM_TOKEN_END;
        token.length = 0;
    } else if (number > 0 && number >= name) {
        token.kind = CM_TOKEN_NUMBER;
        token.length = number;
    } else if (name > 0) {
        token.kind = CM_TOKEN_NAME;
        token.length = name;
        if (lexer->dialect->conditionals && cm_token_is(&token, "if"))
            token.kind = CM_TOKEN_IF;
        if (lexer->dialect->conditionals && cm_token_is(&token, "else"))
            token.kind = CM_TOKEN_ELSE;
    } else if (strchr("<>=!", text[0]) != NULL && text[1] == '=') {
        token.length = 2;
    } else if (lexer->dialect->quotes && text[0] == '\'' && text[1] != '\'' &&
               text[1 + strcspn(text + 1, "'\r\n")] == '\'') {
        token.kind = CM_TOKEN_QUOTED;
        token.text = text + 1;
        token.length = strcspn(text + 1, "'");
        quotes = 2;
    }
    advance_lexer(lexer, token.length + quotes);
    return token;
}
