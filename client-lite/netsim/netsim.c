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

typedef enum option_letter {
    OPT_LISTEN = 1000,
    OPT_TO,
    OPT_DELAY,
    OPT_JITTER,
    OPT_BELL,
    OPT_LOSS,
    OPT_BURST,
    OPT_DUPLICATE,
    OPT_REORDER,
    OPT_REORDER_BY,
    OPT_RATE,
    OPT_QUEUE,
    OPT_SEED,
    OPT_CLIENTS,
    OPT_IDLE,
    OPT_SECONDS,
    OPT_QUIET,
    OPT_JSON,
    OPT_HELP = 'h'
} option_letter;

static const struct option OPTIONS[] = {{"listen", required_argument, NULL, OPT_LISTEN},
                                        {"to", required_argument, NULL, OPT_TO},
                                        {"delay", required_argument, NULL, OPT_DELAY},
                                        {"jitter", required_argument, NULL, OPT_JITTER},
                                        {"bell", no_argument, NULL, OPT_BELL},
                                        {"loss", required_argument, NULL, OPT_LOSS},
                                        {"burst", required_argument, NULL, OPT_BURST},
                                        {"duplicate", required_argument, NULL, OPT_DUPLICATE},
                                        {"reorder", required_argument, NULL, OPT_REORDER},
                                        {"reorder-by", required_argument, NULL, OPT_REORDER_BY},
                                        {"rate", required_argument, NULL, OPT_RATE},
                                        {"queue", required_argument, NULL, OPT_QUEUE},
                                        {"seed", required_argument, NULL, OPT_SEED},
                                        {"clients", required_argument, NULL, OPT_CLIENTS},
                                        {"idle", required_argument, NULL, OPT_IDLE},
                                        {"seconds", required_argument, NULL, OPT_SECONDS},
                                        {"quiet", no_argument, NULL, OPT_QUIET},
                                        {"json", no_argument, NULL, OPT_JSON},
                                        {"help", no_argument, NULL, OPT_HELP},
                                        {NULL, 0, NULL, 0}};

static bool take_share(const char *option, uint32_t *ppm) {
    bool ok = netsim_parse_share(optarg, ppm);
    if (!ok) {
        cli_complain("%s: '%s' is not a share such as 5%%, up to 100%%", option, optarg);
    }
    return ok;
}

static bool take_time(const char *option, uint64_t *us) {
    bool ok = netsim_parse_duration(optarg, us);
    if (!ok) {
        cli_complain("%s: '%s' is not a time such as 80ms or 1.5s, up to 60s", option, optarg);
    }
    return ok;
}

// Rounds that look for idle clients come each quarter of a second.
static bool take_idle(uint64_t *us) {
    bool ok = take_time("--idle", us);
    if (ok && *us < 1000000) {
        cli_complain("--idle: '%s' is less than 1s: who pauses would be forgotten", optarg);
        return false;
    }
    return ok;
}

static bool take_rate(uint64_t *bytes_per_s) {
    bool ok = netsim_parse_rate(optarg, bytes_per_s);
    if (!ok) {
        cli_complain("--rate: '%s' is not a rate such as 256kbit or 2Mbit, up to 10Gbit", optarg);
    }
    return ok;
}

static bool take_seed(uint64_t *seed) {
    double value = 0.0;
    bool ok = cli_parse_number("--seed", optarg, 0.0, 9007199254740992.0, &value);
    *seed = (uint64_t)value;
    return ok;
}

static bool take_own_endpoint(client_endpoint *out) {
    const char *why = NULL;
    bool ok = client_endpoint_parse_own(optarg, out, &why);
    if (!ok) {
        cli_complain("--listen: '%s': %s", optarg, why);
    }
    return ok;
}

static bool take_endpoint(client_endpoint *out) {
    const char *why = NULL;
    bool ok = client_endpoint_parse(optarg, out, &why);
    if (!ok) {
        cli_complain("--to: '%s': %s", optarg, why);
    }
    return ok;
}

static bool take_pipe_option(int letter, netsim_def *pipe) {
    switch (letter) {
    case OPT_DELAY:
        return take_time("--delay", &pipe->delay_us);
    case OPT_JITTER:
        return take_time("--jitter", &pipe->jitter_us);
    case OPT_BELL:
        pipe->jitter = NETSIM_JITTER_BELL;
        return true;
    case OPT_LOSS:
        return take_share("--loss", &pipe->loss_ppm);
    case OPT_BURST:
        return cli_parse_whole("--burst", optarg, BURST_MAX, &pipe->burst_packets);
    case OPT_DUPLICATE:
        return take_share("--duplicate", &pipe->duplicate_ppm);
    case OPT_REORDER:
        return take_share("--reorder", &pipe->reorder_ppm);
    case OPT_REORDER_BY:
        return take_time("--reorder-by", &pipe->reorder_us);
    case OPT_RATE:
        return take_rate(&pipe->bytes_per_s);
    case OPT_QUEUE:
        return take_time("--queue", &pipe->queue_us);
    default:
        // getopt has named the option already.
        fprintf(stderr, "apex-client netsim --help lists the options\n");
        return false;
    }
}

static bool take_option(int letter, cli_relay_def *def) {
    switch (letter) {
    case OPT_LISTEN:
        return take_own_endpoint(&def->listen);
    case OPT_TO:
        return take_endpoint(&def->to);
    case OPT_SEED:
        return take_seed(&def->relay.seed);
    case OPT_CLIENTS:
        return cli_parse_whole("--clients", optarg, CLIENTS_MAX, &def->relay.clients_max);
    case OPT_IDLE:
        return take_idle(&def->relay.idle_us);
    case OPT_SECONDS:
        return cli_parse_number("--seconds", optarg, 0.001, 1e9, &def->seconds);
    case OPT_QUIET:
        def->quiet = true;
        return true;
    case OPT_JSON:
        def->json = true;
        return true;
    default:
        return take_pipe_option(letter, &def->relay.pipe);
    }
}

int cli_netsim(int argc, char *argv[]) {
    cli_relay_def def = {.listen = {.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT + 1},
                         .to = {.host = "127.0.0.1", .port = CLIENT_PORT_DEFAULT},
                         .relay = {.pipe = netsim_default_def(),
                                   .seed = 1,
                                   .clients_max = 1024,
                                   .datagrams_max = DATAGRAMS_MAX,
                                   .idle_us = 30000000}};
    argv[0] = "apex-client netsim";
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
    if (optind < argc) {
        cli_complain("'%s' is one argument too many: where to is said with --to", argv[optind]);
        return CLI_USAGE;
    }
    const char *problem = netsim_problem(&def.relay.pipe);
    if (problem) {
        cli_complain("%s", problem);
        return CLI_USAGE;
    }
    return cli_relay_run(&def);
}
