/// A yes-or-no question about figures, as people write it on a command line:
/// "lost > 0 || tick_p99_ms > 12". Numbers, names, < <= > >= == !=, !, &&, ||, parentheses; a
/// number alone is true unless it is 0. There is nothing else, and nothing it could harm.
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct client_figure {
    const char *name;
    double value; ///< not a number: it was not measured
} client_figure;

enum { CLIENT_CONDITION_WHY_BYTES = 160, CLIENT_CONDITION_DEPTH_MAX = 32 };

typedef struct client_condition_problem {
    size_t column; ///< from 1
    char why[CLIENT_CONDITION_WHY_BYTES];
} client_condition_problem;

/// All of the text is read, also where the answer is known before its end.
/// @return false with *problem filled: not such a question, or it names what is no figure.
bool client_condition_check(const char *text, const client_figure figures[], size_t count,
                            client_condition_problem *problem);

typedef enum client_condition_answer {
    CLIENT_CONDITION_FALSE,
    CLIENT_CONDITION_TRUE,
    CLIENT_CONDITION_UNKNOWN, ///< it depends on a figure that was not measured
} client_condition_answer;

/// @param text one that passed client_condition_check with the same names.
/// @param unknown the first figure asked for that was not measured, or NULL.
client_condition_answer client_condition_answer_of(const char *text, const client_figure figures[],
                                                   size_t count, const char **unknown);
