// The subcommand `load`: its options.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/load/load_run.h"
#include "client-lite/load/report/condition.h"
#include "client-lite/load/report/load_figures.h"

static const char HELP[] =
    "usage: apex-client load [OPTION...] [HOST:PORT]\n\n"
    "Thousands of clients in one process, each with a socket of its own, and what they measured.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given.\n\n"
    "  --clients N     players (default 100)\n"
    "  --spectators N  clients that only watch, besides (default 0)\n"
    "  --ramp R        clients that come in a second (default 100)\n"
    "  --seconds S     to measure, from when all are in (default 30)\n"
    "  --profile P     race, cruise, idle or chaos (default race)\n"
    "  --churn R       clients that leave in a second, and as many that come (default 0)\n"
    "  --decode-every N  one snapshot of so many (default 1); of the others the head is read,\n"
    "                  and for the server they are lost: clients are cheaper, and less real\n"
    "  --seed N        of all that is random (default 1)\n"
    "  --car NAME      which car they drive (default: the server's first)\n"
    "  --password P    of the race, where it asks for one\n"
    "  --json          the figures as one JSON object\n"
    "  --fail-if EXPR  exit with 1 if it is true: 'lost > 0 || tick_p99_ms > 12'\n"
    "  --allow-refused  it is no failure if not all get in\n"
    "  --help          this text, and the names of the figures\n\n"
    "The server must let so many in from one address: clients_max, clients_per_address_max and\n"
    "player_capacity of its race file, which should have late_join.\n"
    "Interrupt (Ctrl-C) ends the measurement; what was measured is told all the same.\n"
    "Lost is who was in the race and whose connection ended, refused who never got in.\n"
    "Exit code: 0 done, 1 not all were in at a time or --fail-if, 2 usage.\n";

enum { CLIENTS_MAX = 50000, DECODE_EVERY_MAX = 16 };

enum option_letter {
    OPT_CLIENTS = 'c',
    OPT_SPECTATORS = 'o',
    OPT_RAMP = 'r',
    OPT_SECONDS = 't',
    OPT_PROFILE = 'f',
    OPT_CHURN = 'u',
    OPT_SEED = 's',
    OPT_DECODE = 'd',
    OPT_CAR = 'a',
    OPT_PASSWORD = 'p',
    OPT_JSON = 'j',
    OPT_FAIL_IF = 'x',
    OPT_ALLOW = 'w',
    OPT_HELP = 'h'
};

static const struct option OPTIONS[] = {{"clients", required_argument, NULL, OPT_CLIENTS},
                                        {"spectators", required_argument, NULL, OPT_SPECTATORS},
                                        {"ramp", required_argument, NULL, OPT_RAMP},
                                        {"seconds", required_argument, NULL, OPT_SECONDS},
                                        {"profile", required_argument, NULL, OPT_PROFILE},
                                        {"churn", required_argument, NULL, OPT_CHURN},
                                        {"decode-every", required_argument, NULL, OPT_DECODE},
                                        {"seed", required_argument, NULL, OPT_SEED},
                                        {"car", required_argument, NULL, OPT_CAR},
                                        {"password", required_argument, NULL, OPT_PASSWORD},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"fail-if", required_argument, NULL, OPT_FAIL_IF},
                                        {"allow-refused", no_argument, NULL, OPT_ALLOW},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

static void print_help(void) {
    static const cli_load_tally nothing;
    static const cli_load_counts nobody;
    cli_load_figures figures;
    cli_load_figures_of(&nothing, &nobody, &figures);
    fputs(HELP, stdout);
    printf("\nFigures:");
    int column = 80;
    for (size_t i = 0; i < figures.count; i++) {
        int length = (int)strlen(figures.at[i].name) + 1;
        if (column + length > 78) {
            printf("\n ");
            column = 1;
        }
        printf(" %s", figures.at[i].name);
        column += length;
    }
    printf("\n");
}

static bool take_profile(cli_load_def *def) {
    static const char *const NAMES[] = {"race", "cruise", "idle", "chaos"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(optarg, NAMES[i]) == 0) {
            def->manner = (client_crowd_manner)i;
            def->profile = NAMES[i];
            return true;
        }
    }
    cli_complain("--profile: '%s' is not race, cruise, idle or chaos", optarg);
    return false;
}

// Before the run: a mistake in it should not show itself after an hour.
static bool take_condition(cli_load_def *def) {
    static const cli_load_tally nothing;
    static const cli_load_counts nobody;
    cli_load_figures figures;
    client_condition_problem problem;
    cli_load_figures_of(&nothing, &nobody, &figures);
    if (!client_condition_check(optarg, figures.at, figures.count, &problem)) {
        cli_complain("--fail-if '%s': column %zu: %s", optarg, problem.column, problem.why);
        return false;
    }
    def->fail_if = optarg;
    return true;
}

static bool take_option(int letter, cli_load_def *def) {
    switch (letter) {
    case OPT_CLIENTS:
        return cli_parse_whole("--clients", optarg, CLIENTS_MAX, &def->clients);
    case OPT_SPECTATORS:
        return cli_parse_count("--spectators", optarg, CLIENTS_MAX, &def->spectators);
    case OPT_RAMP:
        return cli_parse_number("--ramp", optarg, 0.1, 100000, &def->ramp_per_s);
    case OPT_SECONDS:
        return cli_parse_number("--seconds", optarg, 0.1, 1e7, &def->seconds);
    case OPT_PROFILE:
        return take_profile(def);
    case OPT_CHURN:
        return cli_parse_number("--churn", optarg, 0.0, 1000, &def->churn_per_s);
    case OPT_DECODE:
        return cli_parse_whole("--decode-every", optarg, DECODE_EVERY_MAX, &def->decode_every);
    case OPT_SEED:
        return cli_parse_count("--seed", optarg, UINT32_MAX, &def->seed);
    case OPT_CAR:
        return cli_parse_name("--car", optarg, &def->car);
    case OPT_PASSWORD:
        return cli_parse_name("--password", optarg, &def->password);
    case OPT_JSON:
        def->json = true;
        return true;
    case OPT_ALLOW:
        def->allow_refused = true;
        return true;
    case OPT_FAIL_IF:
        return take_condition(def);
    default:
        // getopt has named the option already.
        fprintf(stderr, "apex-client load --help lists the options\n");
        return false;
    }
}

int cli_load(int argc, char *argv[]) {
    cli_load_def def = {.clients = 100,
                        .ramp_per_s = 100.0,
                        .seconds = 30.0,
                        .manner = CLIENT_CROWD_RACE,
                        .profile = "race",
                        .seed = 1,
                        .decode_every = 1};
    argv[0] = "apex-client load";
    int letter;
    while ((letter = getopt_long(argc, argv, "h", OPTIONS, NULL)) != -1) {
        if (letter == OPT_HELP) {
            print_help();
            return CLI_OK;
        }
        if (!take_option(letter, &def)) {
            return CLI_USAGE;
        }
    }
    if (!cli_parse_endpoint(argc, argv, optind, &def.server)) {
        return CLI_USAGE;
    }
    return cli_load_run(&def);
}
