/// The subcommands of apex-client; each returns an exit code.
#pragma once

/// Exit codes. A script can tell a mistake of its own from a server that went away, and a race that
/// ran to its end (0) from one that was interrupted (DECISIONS 15).
enum { CLI_OK = 0, CLI_FAILED = 1, CLI_USAGE = 2 };

int cli_bot(int argc, char *argv[]);
int cli_key(int argc, char *argv[]);
int cli_load(int argc, char *argv[]);
int cli_watch(int argc, char *argv[]);
int cli_netsim(int argc, char *argv[]);
