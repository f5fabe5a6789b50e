// The line of a command is everybody's to read; the environment and files are the user's own.
#include "client-lite/cli/secret.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/error.h"
#include "client-lite/cli/complain.h"

static bool keep(const char *what, const char *text, size_t bytes_max, cli_secret *out) {
    size_t length = strlen(text);
    APEX_ASSERT(bytes_max < sizeof out->text);
    if (length > bytes_max) {
        cli_complain("%s: is longer than %zu bytes", what, bytes_max);
        return false;
    }
    memcpy(out->text, text, length + 1);
    return true;
}

// The line's end is not part of it, and neither is what an editor of another system puts before.
static bool read_line(const char *what, const char *path, size_t bytes_max, cli_secret *out) {
    char line[CLI_SECRET_BYTES + 2] = "";
    FILE *file = fopen(path, "re");
    if (file == NULL) {
        cli_complain("%s: %s: %s", what, path, apex_errno_text(errno));
        return false;
    }
    bool is_read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    line[strcspn(line, "\r\n")] = '\0';
    bool is_kept = is_read && line[0] != '\0';
    if (!is_kept) {
        cli_complain("%s: %s: expected it in the first line", what, path);
    }
    is_kept = is_kept && keep(what, line, bytes_max, out);
    explicit_bzero(line, sizeof line);
    return is_kept;
}

bool cli_secret_take(const char *option, char *text, size_t bytes_max, cli_secret *out) {
    if (text[0] == '@') {
        return read_line(option, text + 1, bytes_max, out);
    }
    bool is_kept = keep(option, text, bytes_max, out);
    explicit_bzero(text, strlen(text));
    return is_kept;
}

bool cli_secret_from_environment(const char *variable, size_t bytes_max, cli_secret *out) {
    const char *text = getenv(variable);
    return text == NULL || out->text[0] != '\0' || keep(variable, text, bytes_max, out);
}
