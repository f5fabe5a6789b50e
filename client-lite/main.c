// apex-client: bots and a watcher for a race on an Apex server, and a bad network in between.
#include <stdio.h>
#include <string.h>

#include "base/version.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "physics/physics.h"

typedef struct subcommand {
    const char *name;
    int (*run)(int argc, char *argv[]);
    const char *help;
} subcommand;

static const subcommand SUBCOMMANDS[] = {
    {"bot", cli_bot, "drive cars: any number of bots in one process"},
    {"load", cli_load, "thousands of clients in one process, and what they measured"},
    {"watch", cli_watch, "show the running order live, or print it as lines or JSON"},
    {"key", cli_key, "the key that says who you are: show, make, export or import it"},
    {"netsim", cli_netsim, "stand in for a bad network between clients and a server"},
};

enum { SUBCOMMAND_COUNT = sizeof SUBCOMMANDS / sizeof SUBCOMMANDS[0] };

static void print_help(FILE *out) {
    fprintf(out, "apex-client: bots and watchers for races on apex-server, one or thousands\n\n"
                 "usage: apex-client COMMAND [OPTION...] [HOST:PORT]\n\n");
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        fprintf(out, "  %-8s %s\n", SUBCOMMANDS[i].name, SUBCOMMANDS[i].help);
    }
    fprintf(out,
            "\n  apex-client COMMAND --help  tells the options of a command\n"
            "  apex-client --version       tells version, commit, physics and protocol\n\n"
            "HOST:PORT is where apex-server runs; 127.0.0.1:%d if not given.\n"
            "Exit code: 0 the event ran to its end (or you left), 1 it did not, 2 usage.\n",
            CLIENT_PORT_DEFAULT);
}

int main(int argc, char *argv[]) {
    if (argc < 2) {
        print_help(stderr);
        return CLI_USAGE;
    }
    const char *word = argv[1];
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0) {
        print_help(stdout);
        return CLI_OK;
    }
    if (strcmp(word, "--version") == 0 || strcmp(word, "-V") == 0) {
        printf("apex-client %s (commit %s, physics %u, protocol %u)\n", APEX_VERSION, apex_commit(),
               APEX_PHYSICS_VERSION, APEX_PROTOCOL_VERSION);
        return CLI_OK;
    }
    for (size_t i = 0; i < SUBCOMMAND_COUNT; i++) {
        if (strcmp(word, SUBCOMMANDS[i].name) == 0) {
            return SUBCOMMANDS[i].run(argc - 1, argv + 1);
        }
    }
    cli_complain("no command '%s': apex-client --help lists them", word);
    return CLI_USAGE;
}
