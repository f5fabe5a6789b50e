/// The file of a driver's key: one line of 64 hexadecimal digits, the secret half; empty lines, and
/// lines that begin with #, say nothing. The page reads and writes the same.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "client-lite/keyring/user_file.h"
#include "identity/identity.h"

enum { CLI_KEY_TEXT_BYTES = 512, CLI_KEY_WHY_BYTES = CLI_PATH_BYTES + 160 };

/// The fingerprint of the driver with this key.
void cli_key_name(const apex_driver_key *key, char out[APEX_FINGERPRINT_TEXT_BYTES]);

/// @return false unless the text is one of such a file.
bool cli_key_text_read(const char *text, apex_driver_key *out);
/// The text of such a file, which names the driver. Wipe it then.
void cli_key_text_write(const apex_driver_key *key, char out[CLI_KEY_TEXT_BYTES]);

typedef enum cli_key_care {
    CLI_KEY_PRIVATE, ///< a file that others may read is refused
    CLI_KEY_ANY,     ///< to be imported: a stick's files may be everybody's
} cli_key_care;

/// Reads one. @return APEX_ERR_NOT_FOUND, APEX_ERR_REFUSED (others may read it), or another error,
/// with a sentence in `why`.
apex_err cli_key_file_read(const char *path, cli_key_care care, apex_driver_key *out,
                           char why[CLI_KEY_WHY_BYTES]);
/// Writes one where there is none, for its owner alone, and its folder. @return APEX_ERR_EXISTS, or
/// another error, with a sentence in `why`.
apex_err cli_key_file_write(const char *path, const apex_driver_key *key,
                            char why[CLI_KEY_WHY_BYTES]);
