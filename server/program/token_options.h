/// The options of `apex-server token sign`.
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "identity/identity.h"

typedef struct token_options {
    const char *key_file;
    bool has_audience, help;
    apex_join_token token; ///< without its times and its number
    uint32_t life_s;
} token_options;

/// @param arguments what follows "sign"; the element before them is written to.
/// @return false after a line on stderr that says what is wrong.
bool token_options_parse(int count, char **arguments, token_options *out);
void token_options_help(FILE *out);
