// The subcommand `load`: its options.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/keyring/entry.h"
#include "client-lite/load/load_run.h"
#include "client-lite/load/report/condition.h"
#include "client-lite/load/report/load_figures.h"

static const char HELP[] =
    "usage: apex-client load [OPTION...] [HOST:PORT]\n\n"
    "Thousands of clients in one process, each with a socket of its own, and what they measured.\n"
    "HOST:PORT is where apex-server runs; 127.0.0.1:26000 if not given. With #KEY behind\n"
    "it, as the server prints it, no other server is talked to.\n\n"
    "  --clients N     players (default 100)\n"
    "  --spectators N  clients that only watch, besides (default 0)\n"
    "  --ramp R        clients that come in a second (default 100)\n"
    "  --seconds S     to measure, from when all are in (default 30)\n"
    "  --profile P     race, cruise, idle or chaos (default race)\n"
    "  --churn R       clients that leave in a second, and as many that come (default 0)\n"
    "  --decode-every N  one snapshot of so many (default 1); of the others the head is read,\n"
    "                  and for the server they are lost: clients are cheaper, and less real\n"
    "  --seed N        of all that is random (default 1)\n"
    "  --car NAME      which car they drive (default: the server's first)\n" CLI_ENTRY_HELP
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

static bool take_profile(const char *profile, cli_load_def *def) {
    static const char *const NAMES[] = {"race", "cruise", "idle", "chaos"};
    for (int i = 0; i < 4; i++) {
        if (strcmp(profile, NAMES[i]) == 0) {
            def->manner = (client_crowd_manner)i;
            def->profile = NAMES[i];
            return true;
        }
    }
    cli_complain("--profile: '%s' is not race, cruise, idle or chaos", profile);
    return false;
}

// Before the run: a mistake in it should not show itself after an hour.
static bool check_condition(const char *condition) {
    static const cli_load_tally nothing;
    static const cli_load_counts nobody;
    cli_load_figures figures;
    client_condition_problem problem;
    cli_load_figures_of(&nothing, &nobody, &figures);
    if (!client_condition_check(condition, figures.at, figures.count, &problem)) {
        cli_complain("--fail-if '%s': column %zu: %s", condition, problem.column, problem.why);
        return false;
    }
    return true;
}

int cli_load(int argc, char *argv[]) {
    cli_load_def def = {
        .clients = 100, .ramp_per_s = 100.0, .seconds = 30.0, .seed = 1, .decode_every = 1};
    const char *profile = "race";
    cli_entry_options entry_options = {0};
    cli_entry entry;
    const cli_option options[] = {
        {"clients", .whole = &def.clients, .min = 1, .max = CLIENTS_MAX},
        {"spectators", .whole = &def.spectators, .min = 0, .max = CLIENTS_MAX},
        {"ramp", .number = &def.ramp_per_s, .min = 0.1, .max = 100000},
        {"seconds", .number = &def.seconds, .min = 0.1, .max = 1e7},
        {"profile", .text = &profile},
        {"churn", .number = &def.churn_per_s, .min = 0.0, .max = 1000},
        {"decode-every", .whole = &def.decode_every, .min = 1, .max = DECODE_EVERY_MAX},
        {"seed", .whole = &def.seed, .min = 0, .max = UINT32_MAX},
        {"car", .wire_name = &def.car},
        CLI_ENTRY_OPTIONS(&entry_options),
        {"json", .flag = &def.json},
        {"fail-if", .text = &def.fail_if},
        {"allow-refused", .flag = &def.allow_refused},
    };
    switch (cli_take_options("load", options, sizeof options / sizeof options[0], argc, argv)) {
    case CLI_OPTIONS_HELP:
        print_help();
        return CLI_OK;
    case CLI_OPTIONS_WRONG:
        return CLI_USAGE;
    case CLI_OPTIONS_TAKEN:
        break;
    }
    if (!take_profile(profile, &def) || (def.fail_if != NULL && !check_condition(def.fail_if)) ||
        !cli_parse_endpoint(argc, argv, optind, &def.server)) {
        return CLI_USAGE;
    }
    if (!cli_entry_open(&entry_options, CLI_ENTRY_CROWD, &def.server, def.json, &entry)) {
        return CLI_USAGE;
    }
    int code = cli_load_run(&def, &entry);
    cli_entry_close(&entry);
    return code;
}
