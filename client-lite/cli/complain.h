/// What a subcommand says to its user when something is wrong.
#pragma once

/// One line to standard error: "apex-client: ...".
__attribute__((format(printf, 1, 2))) void cli_complain(const char *fmt, ...);
