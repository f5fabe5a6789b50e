/// Passwords and tokens of options: from a file or the environment, or from the command line, where
/// others on the machine can read them until they are wiped.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { CLI_SECRET_BYTES = 1024 };

typedef struct cli_secret {
    char text[CLI_SECRET_BYTES]; ///< "": none
} cli_secret;

/// Takes an option's value: "@FILE" is the first line of that file. Wipes what stands at `text`.
/// @param bytes_max of the secret; below CLI_SECRET_BYTES
/// @return false after a complaint, which does not say the secret.
bool cli_secret_take(const char *option, char *text, size_t bytes_max, cli_secret *out);
/// Takes a variable of the environment, if there is one and no secret yet; as above.
bool cli_secret_from_environment(const char *variable, size_t bytes_max, cli_secret *out);
