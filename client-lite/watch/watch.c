// The subcommand `watch`: its options.
#include <getopt.h>
#include <stdio.h>

#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/commands.h"
#include "client-lite/keyring/entry.h"
#include "client-lite/watch/screen.h"
#include "client-lite/watch/watch_run.h"

static const char HELP[] =
    "usage: apex-client watch [OPTION...] [HOST:PORT]\n\n"
    "Shows a race live: a running order that is redrawn on a terminal, a line for each event and\n"
    "each second elsewhere. Ends when the event is over, after printing the results.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given. With #KEY behind\n"
    "it, as the server prints it, no other server is talked to.\n\n"
    "  --once          print the running order once and end\n"
    "  --json          one JSON object a line: past-event (what happened before you came), event,\n"
    "                  standings, server-stats, results, reconnecting, back, closed\n"
    "  --no-reconnect  a broken link is the end\n"
    "  --plain         lines even on a terminal\n"
    "  --laps          of lines but one for each lap: who leads, the lap and its time\n"
    "  --seconds S     end after this time\n" CLI_ENTRY_HELP
    "  --races N       end after the results of this many races\n"
    "  --help          this text\n\n"
    "Colours are used on a terminal only, and not if NO_COLOR is set.\n"
    "Exit code: 0 the event ran to its end (or you left), 1 it did not, 2 usage.\n";

int cli_watch(int argc, char *argv[]) {
    cli_watch_def def = {0};
    cli_entry_options entry_options = {0};
    cli_entry entry;
    const cli_option options[] = {
        {"once", .flag = &def.once},
        {"json", .flag = &def.json},
        {"plain", .flag = &def.plain},
        {"no-reconnect", .flag = &def.no_reconnect},
        CLI_ENTRY_OPTIONS(&entry_options),
        {"seconds", .number = &def.seconds, .min = 0.001, .max = 1e9},
        {"laps", .flag = &def.laps},
        {"races", .whole = &def.races, .min = 1, .max = CLI_RACES_MAX},
    };
    switch (cli_take_options("watch", options, sizeof options / sizeof options[0], argc, argv)) {
    case CLI_OPTIONS_HELP:
        fputs(HELP, stdout);
        return CLI_OK;
    case CLI_OPTIONS_WRONG:
        return CLI_USAGE;
    case CLI_OPTIONS_TAKEN:
        break;
    }
    if (!cli_parse_endpoint(argc, argv, optind, &def.server)) {
        return CLI_USAGE;
    }
    def.plain = def.plain || def.laps || !cli_screen_moves();
    if (!cli_entry_open(&entry_options, CLI_ENTRY_DRIVER, &def.server, def.json, &entry)) {
        return CLI_USAGE;
    }
    def.entry = &entry;
    int code = cli_watch_run(&def);
    cli_entry_close(&entry);
    return code;
}
