// The subcommand `bot`: its options.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "client-lite/bot/fleet.h"
#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/commands.h"

static const char HELP[] =
    "usage: apex-client bot [OPTION...] [HOST:PORT]\n\n"
    "Joins a race with bots that drive by themselves, and stays until the event is over.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given.\n\n"
    "  --count N       how many bots, all in this process (default 1)\n"
    "  --name PREFIX   of their names: PREFIX-01, PREFIX-02, ... (default bot)\n"
    "  --car NAME      which car they drive (default: the server's first)\n"
    "  --skill S       0.5 to 1, the same for all (default: about 0.95, each a little different)\n"
    "  --seed N        deal strengths and lanes anew in each race; the same N the same lots\n"
    "  --password P    of the race, where it asks for one\n"
    "  --laps N        leave after this many laps\n"
    "  --races N       leave after this many races\n"
    "  --seconds S     leave after this time\n"
    "  --no-reconnect  a broken link is the end; else they try to come back\n"
    "  --quiet         print only what went wrong\n"
    "  --json          one JSON object a line: joined, event, results, reconnecting, back, lost,\n"
    "                  end\n"
    "  --help          this text\n\n"
    "Interrupt (Ctrl-C) leaves the race; a second one leaves without a word.\n"
    "Exit code: 0 the event ran to its end for all bots, 1 it did not for some, 2 usage.\n";

enum { BOTS_MAX = 10000, LAPS_MAX = 9999 };

typedef enum option_letter {
    OPT_COUNT = 'c',
    OPT_NAME = 'n',
    OPT_CAR = 'a',
    OPT_SKILL = 's',
    OPT_SEED = 'e',
    OPT_PASSWORD = 'p',
    OPT_LAPS = 'l',
    OPT_RACES = 'g',
    OPT_SECONDS = 't',
    OPT_NO_RECONNECT = 'r',
    OPT_QUIET = 'q',
    OPT_JSON = 'j',
    OPT_HELP = 'h'
} option_letter;

static const struct option OPTIONS[] = {{"count", required_argument, NULL, OPT_COUNT},
                                        {"name", required_argument, NULL, OPT_NAME},
                                        {"car", required_argument, NULL, OPT_CAR},
                                        {"skill", required_argument, NULL, OPT_SKILL},
                                        {"seed", required_argument, NULL, OPT_SEED},
                                        {"password", required_argument, NULL, OPT_PASSWORD},
                                        {"laps", required_argument, NULL, OPT_LAPS},
                                        {"races", required_argument, NULL, OPT_RACES},
                                        {"seconds", required_argument, NULL, OPT_SECONDS},
                                        {"no-reconnect", no_argument, NULL, OPT_NO_RECONNECT},
                                        {"quiet", no_argument, NULL, OPT_QUIET},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

static bool take_seed(uint64_t *seed) {
    double value = 0.0;
    bool ok = cli_parse_number("--seed", optarg, 1.0, 9007199254740991.0, &value);
    *seed = (uint64_t)value;
    return ok;
}

static bool take_option(int letter, cli_fleet_def *def) {
    switch (letter) {
    case OPT_COUNT:
        return cli_parse_whole("--count", optarg, BOTS_MAX, &def->count);
    case OPT_NAME:
        return cli_parse_name("--name", optarg, &def->prefix);
    case OPT_CAR:
        return cli_parse_name("--car", optarg, &def->car);
    case OPT_SKILL:
        return cli_parse_number("--skill", optarg, 0.5, 1.0, &def->skill);
    case OPT_SEED:
        return take_seed(&def->seed);
    case OPT_PASSWORD:
        return cli_parse_name("--password", optarg, &def->password);
    case OPT_LAPS:
        return cli_parse_whole("--laps", optarg, LAPS_MAX, &def->laps);
    case OPT_RACES:
        return cli_parse_whole("--races", optarg, CLI_RACES_MAX, &def->races);
    case OPT_SECONDS:
        return cli_parse_number("--seconds", optarg, 0.001, 1e9, &def->seconds);
    case OPT_NO_RECONNECT:
        def->no_reconnect = true;
        return true;
    case OPT_QUIET:
        def->quiet = true;
        return true;
    case OPT_JSON:
        def->json = true;
        return true;
    default:
        // getopt has named the option already.
        fprintf(stderr, "apex-client bot --help lists the options\n");
        return false;
    }
}

int cli_bot(int argc, char *argv[]) {
    cli_fleet_def def = {.count = 1, .prefix = "bot"};
    argv[0] = "apex-client bot";
    int letter;
    while ((letter = getopt_long(argc, argv, "h", OPTIONS, NULL)) != -1) {
        if (letter == OPT_HELP) {
            fputs(HELP, stdout);
            return CLI_OK;
        }
        if (!take_option(letter, &def)) {
            return CLI_USAGE;
        }
    }
    if (!cli_parse_endpoint(argc, argv, optind, &def.server)) {
        return CLI_USAGE;
    }
    return cli_fleet_run(&def);
}
