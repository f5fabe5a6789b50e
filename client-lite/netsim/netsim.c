// The subcommand `netsim`: its options.
#include <getopt.h>
#include <stdio.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/netsim/netsim_units.h"
#include "client-lite/netsim/relay_def.h"
#include "client-lite/netsim/relay_sockets.h"

static const char HELP[] =
    "usage: apex-client netsim [OPTION...]\n\n"
    "Stands between clients and a server as a bad network: a UDP relay that delays, loses,\n"
    "doubles and disorders datagrams, each way of each client apart. Point clients at --listen.\n"
    "All of them have one address for the server: mind its clients_per_address_max.\n\n"
    "  --listen HOST:PORT   where clients come (default 127.0.0.1:26001; port 0: any free one)\n"
    "  --to HOST:PORT       where apex-server runs (default 127.0.0.1:26000)\n"
    "  --delay TIME         each way, such as 80ms (default 0ms)\n"
    "  --jitter TIME        up to so much more or less, each datagram for itself\n"
    "  --bell               jitter in a bell shape, seldom far off, instead of evenly spread\n"
    "  --loss SHARE         such as 5%\n"
    "  --burst N            losses come in runs of N on average (default 1: each for itself)\n"
    "  --duplicate SHARE    arrive twice\n"
    "  --reorder SHARE      are held back, so that later ones overtake ...\n"
    "  --reorder-by TIME    ... by so much (default 60ms)\n"
    "  --rate RATE          what a line takes each way, headers included, such as 2Mbit;\n"
    "  --queue TIME         what would wait longer for it is dropped (default 200ms)\n"
    "  --seed N             the same seed loses the same datagrams (default 1)\n"
    "  --clients N          at most so many at a time (default 1024)\n"
    "  --idle TIME          a client that sends nothing for so long is forgotten (default 30s)\n"
    "  --seconds S          end after this time\n"
    "  --quiet              print only what went wrong\n"
    "  --json               one JSON object a line: listening, end\n"
    "  --help               this text\n\n"
    "Times are good to a millisecond. Interrupt (Ctrl-C) ends it and prints what became of the\n"
    "datagrams. Exit code: 0 it relayed, 1 it could not listen, 2 usage.\n";

enum { CLIENTS_MAX = 65535, BURST_MAX = 1000, DATAGRAMS_MAX = 65536 };

static const double SEED_MAX = 9007199254740992.0;

// Options that are read by units of their own; NULL where one was not given.
typedef struct quantities {
    const char *listen, *to;
    const char *delay, *jitter, *loss, *duplicate, *reorder, *reorder_by, *rate, *queue, *idle;
    double seed;
    bool bell;
} quantities;

static bool read_share(const char *option, const char *text, uint32_t *ppm) {
    bool ok = text == NULL || netsim_parse_share(text, ppm);
    if (!ok) {
        cli_complain("%s: '%s' is not a share such as 5%%, up to 100%%", option, text);
    }
    return ok;
}

static bool read_time(const char *option, const char *text, uint64_t *us) {
    bool ok = text == NULL || netsim_parse_duration(text, us);
    if (!ok) {
        cli_complain("%s: '%s' is not a time such as 80ms or 1.5s, up to 60s", option, text);
    }
    return ok;
}

// Rounds that look for idle clients come each quarter of a second.
static bool read_idle(const char *text, uint64_t *us) {
    bool ok = read_time("--idle", text, us);
    if (ok && *us < 1000000) {
        cli_complain("--idle: '%s' is less than 1s: who pauses would be forgotten", text);
        return false;
    }
    return ok;
}

static bool read_rate(const char *text, uint64_t *bytes_per_s) {
    bool ok = text == NULL || netsim_parse_rate(text, bytes_per_s);
    if (!ok) {
        cli_complain("--rate: '%s' is not a rate such as 256kbit or 2Mbit, up to 10Gbit", text);
    }
    return ok;
}

static bool read_endpoints(const quantities *given, cli_relay_def *def) {
    const char *why = NULL;
    if (given->listen != NULL && !client_endpoint_parse_own(given->listen, &def->listen, &why)) {
        cli_complain("--listen: '%s': %s", given->listen, why);
        return false;
    }
    if (given->to != NULL && !client_endpoint_parse(given->to, &def->to, &why)) {
        cli_complain("--to: '%s': %s", given->to, why);
        return false;
    }
    return true;
}

static bool read_quantities(const quantities *given, cli_relay_def *def) {
    netsim_def *pipe = &def->relay.pipe;
    pipe->jitter = given->bell ? NETSIM_JITTER_BELL : pipe->jitter;
    def->relay.seed = (uint64_t)given->seed;
    return read_endpoints(given, def) && read_time("--delay", given->delay, &pipe->delay_us) &&
           read_time("--jitter", given->jitter, &pipe->jitter_us) &&
           read_share("--loss", given->loss, &pipe->loss_ppm) &&
           read_share("--duplicate", given->duplicate, &pipe->duplicate_ppm) &&
           read_share("--reorder", given->reorder, &pipe->reorder_ppm) &&
           read_time("--reorder-by", given->reorder_by, &pipe->reorder_us) &&
           read_rate(given->rate, &pipe->bytes_per_s) &&
           read_time("--queue", given->queue, &pipe->queue_us) &&
           read_idle(given->idle, &def->relay.idle_us);
}

static cli_options_end take_options(int argc, char *argv[], quantities *given, cli_relay_def *def) {
    const cli_option options[] = {
        {"listen", .text = &given->listen},
        {"to", .text = &given->to},
        {"delay", .text = &given->delay},
        {"jitter", .text = &given->jitter},
        {"bell", .flag = &given->bell},
        {"loss", .text = &given->loss},
        {"burst", .whole = &def->relay.pipe.burst_packets, .min = 1, .max = BURST_MAX},
        {"duplicate", .text = &given->duplicate},
        {"reorder", .text = &given->reorder},
        {"reorder-by", .text = &given->reorder_by},
        {"rate", .text = &given->rate},
        {"queue", .text = &given->queue},
        {"seed", .number = &given->seed, .min = 0.0, .max = SEED_MAX},
        {"clients", .whole = &def->relay.clients_max, .min = 1, .max = CLIENTS_MAX},
        {"idle", .text = &given->idle},
        {"seconds", .number = &def->seconds, .min = 0.001, .max = 1e9},
        {"quiet", .flag = &def->quiet},
        {"json", .flag = &def->json},
    };
    return cli_take_options("netsim", options, sizeof options / sizeof options[0], argc, argv);
}

int cli_netsim(int argc, char *argv[]) {
    cli_relay_def def = {.listen = {.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT + 1},
                         .to = {.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT},
                         .relay = {.pipe = netsim_default_def(),
                                   .clients_max = 1024,
                                   .datagrams_max = DATAGRAMS_MAX,
                                   .idle_us = 30000000}};
    quantities given = {.seed = 1.0};
    switch (take_options(argc, argv, &given, &def)) {
    case CLI_OPTIONS_HELP:
        fputs(HELP, stdout);
        return CLI_OK;
    case CLI_OPTIONS_WRONG:
        return CLI_USAGE;
    case CLI_OPTIONS_TAKEN:
        break;
    }
    if (!read_quantities(&given, &def)) {
        return CLI_USAGE;
    }
    if (optind < argc) {
        cli_complain("'%s' is one argument too many: where to is said with --to", argv[optind]);
        return CLI_USAGE;
    }
    const char *problem = netsim_problem(&def.relay.pipe);
    if (problem != NULL) {
        cli_complain("%s", problem);
        return CLI_USAGE;
    }
    return cli_relay_run(&def);
}
