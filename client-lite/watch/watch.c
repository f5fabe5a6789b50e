// The subcommand `watch`: its options.
#include <getopt.h>
#include <stdio.h>

#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/commands.h"
#include "client-lite/watch/screen.h"
#include "client-lite/watch/watch_run.h"

static const char HELP[] =
    "usage: apex-client watch [OPTION...] [HOST:PORT]\n\n"
    "Shows a race live: a running order that is redrawn on a terminal, a line for each event and\n"
    "each second elsewhere. Ends when the event is over, after printing the results.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given.\n\n"
    "  --once          print the running order once and end\n"
    "  --json          one JSON object a line: past-event (what happened before you came), event,\n"
    "                  standings, server-stats, results, reconnecting, back, closed\n"
    "  --no-reconnect  a broken link is the end\n"
    "  --plain         lines even on a terminal\n"
    "  --laps          of lines but one for each lap: who leads, the lap and its time\n"
    "  --password P    of the race, where it asks for one\n"
    "  --seconds S     end after this time\n"
    "  --races N       end after the results of this many races\n"
    "  --help          this text\n\n"
    "Colours are used on a terminal only, and not if NO_COLOR is set.\n"
    "Exit code: 0 the event ran to its end (or you left), 1 it did not, 2 usage.\n";

typedef enum option_letter {
    OPT_ONCE = 'o',
    OPT_JSON = 'j',
    OPT_PLAIN = 'l',
    OPT_NO_RECONNECT = 'r',
    OPT_PASSWORD = 'p',
    OPT_SECONDS = 't',
    OPT_LAPS = 'g',
    OPT_RACES = 'n',
    OPT_HELP = 'h'
} option_letter;

static const struct option OPTIONS[] = {{"once", no_argument, NULL, OPT_ONCE},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"plain", no_argument, NULL, OPT_PLAIN},
                                        {"no-reconnect", no_argument, NULL, OPT_NO_RECONNECT},
                                        {"password", required_argument, NULL, OPT_PASSWORD},
                                        {"seconds", required_argument, NULL, OPT_SECONDS},
                                        {"laps", no_argument, NULL, OPT_LAPS},
                                        {"races", required_argument, NULL, OPT_RACES},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

static bool take_option(int letter, cli_watch_def *def) {
    switch (letter) {
    case OPT_ONCE:
        def->once = true;
        return true;
    case OPT_JSON:
        def->json = true;
        return true;
    case OPT_PLAIN:
        def->plain = true;
        return true;
    case OPT_NO_RECONNECT:
        def->no_reconnect = true;
        return true;
    case OPT_PASSWORD:
        return cli_parse_name("--password", optarg, &def->password);
    case OPT_LAPS:
        def->laps = def->plain = true;
        return true;
    case OPT_RACES:
        return cli_parse_whole("--races", optarg, CLI_RACES_MAX, &def->races);
    case OPT_SECONDS:
        return cli_parse_number("--seconds", optarg, 0.001, 1e9, &def->seconds);
    default:
        // getopt has named the option already.
        fprintf(stderr, "apex-client watch --help lists the options\n");
        return false;
    }
}

int cli_watch(int argc, char *argv[]) {
    cli_watch_def def = {0};
    argv[0] = "apex-client watch";
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
    def.plain = def.plain || !cli_screen_moves();
    return cli_watch_run(&def);
}
