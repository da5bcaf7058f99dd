/* Splits a formula into tokens. */
#ifndef CM_FORMULAS_EXPRESSION_LEX_H
#define CM_FORMULAS_EXPRESSION_LEX_H

#include "formulas/expression_dialect.h"

typedef enum cm_token_kind {
    CM_TOKEN_END,
    CM_TOKEN_NUMBER,
    CM_TOKEN_NAME,
    CM_TOKEN_QUOTED, /* a name; the text is without quotes */
    CM_TOKEN_IF,
    CM_TOKEN_ELSE,
    CM_TOKEN_SYMBOL
} cm_token_kind;

typedef struct cm_token {
    cm_token_kind kind;
    const char *text;
    size_t length;
    cm_expression_location location;
} cm_token;

typedef struct cm_lexer {
    const char *at; /* the end of the last token */
    cm_expression_location location;
    const cm_dialect *dialect;
    const char *name_characters; /* in addition to the dialect's; may be NULL */
} cm_lexer;

cm_token cm_lexer_next(cm_lexer *lexer);
bool cm_token_is(const cm_token *token, const char *text);

#endif
