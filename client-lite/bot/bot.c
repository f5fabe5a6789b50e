// The subcommand `bot`: its options.
#include <getopt.h>
#include <stdio.h>

#include "client-lite/bot/fleet.h"
#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/commands.h"
#include "client-lite/keyring/entry.h"

static const char HELP[] =
    "usage: apex-client bot [OPTION...] [HOST:PORT]\n\n"
    "Joins a race with bots that drive by themselves, and stays until the event is over.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given. With #KEY behind\n"
    "it, as the server prints it, no other server is talked to.\n\n"
    "  --count N       how many bots, all in this process (default 1)\n"
    "  --name PREFIX   of their names: PREFIX-01, PREFIX-02, ... (default bot)\n"
    "  --car NAME      which car they drive (default: the server's first)\n"
    "  --skill S       0.5 to 1, the same for all (default: about 0.95, each a little different)\n"
    "  --seed N        deal strengths and lanes anew in each race; the same N the same lots\n"
    "  --laps N        leave after this many laps\n" CLI_ENTRY_HELP
    "  --races N       leave after this many races\n"
    "  --seconds S     leave after this time\n"
    "  --no-reconnect  a broken link is the end; else they try to come back\n"
    "  --figures       at the end: controls on their tick, and how well rivals were foretold\n"
    "  --quiet         print only what went wrong\n"
    "  --json          one JSON object a line: joined, event, results, reconnecting, back, lost,\n"
    "                  end\n"
    "  --help          this text\n\n"
    "Interrupt (Ctrl-C) leaves the race; a second one leaves without a word.\n"
    "Exit code: 0 the event ran to its end for all bots, 1 it did not for some, 2 usage.\n";

enum { BOTS_MAX = 10000, LAPS_MAX = 9999 };

static const double SEED_MAX = 9007199254740991.0;

int cli_bot(int argc, char *argv[]) {
    cli_fleet_def def = {.count = 1, .prefix = "bot"};
    double seed = 0.0;
    cli_entry_options entry_options = {0};
    cli_entry entry;
    const cli_option options[] = {
        {"count", .whole = &def.count, .min = 1, .max = BOTS_MAX},
        {"name", .wire_name = &def.prefix},
        {"car", .wire_name = &def.car},
        {"skill", .number = &def.skill, .min = 0.5, .max = 1.0},
        {"seed", .number = &seed, .min = 1.0, .max = SEED_MAX},
        CLI_ENTRY_OPTIONS(&entry_options),
        {"laps", .whole = &def.laps, .min = 1, .max = LAPS_MAX},
        {"races", .whole = &def.races, .min = 1, .max = CLI_RACES_MAX},
        {"seconds", .number = &def.seconds, .min = 0.001, .max = 1e9},
        {"no-reconnect", .flag = &def.no_reconnect},
        {"figures", .flag = &def.figures},
        {"quiet", .flag = &def.quiet},
        {"json", .flag = &def.json},
    };
    switch (cli_take_options("bot", options, sizeof options / sizeof options[0], argc, argv)) {
    case CLI_OPTIONS_HELP:
        fputs(HELP, stdout);
        return CLI_OK;
    case CLI_OPTIONS_WRONG:
        return CLI_USAGE;
    case CLI_OPTIONS_TAKEN:
        break;
    }
    def.seed = (uint64_t)seed;
    if (!cli_parse_endpoint(argc, argv, optind, &def.server)) {
        return CLI_USAGE;
    }
    cli_entry_kind kind = def.count == 1 ? CLI_ENTRY_DRIVER : CLI_ENTRY_CROWD;
    if (!cli_entry_open(&entry_options, kind, &def.server, def.quiet || def.json, &entry)) {
        return CLI_USAGE;
    }
    def.entry = &entry;
    int code = cli_fleet_run(&def);
    cli_entry_close(&entry);
    return code;
}
