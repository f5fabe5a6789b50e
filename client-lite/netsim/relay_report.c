// The relay tells where it listens, how it does and what it has done, as lines or as JSON.
#include "client-lite/netsim/relay_report.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/json_lines.h"

static void name_endpoint(const client_endpoint *endpoint, char *out, size_t bytes) {
    bool is_ipv6 = strchr(endpoint->host, ':') != NULL;
    snprintf(out, bytes, is_ipv6 ? "[%s]:%u" : "%s:%u", endpoint->host, (unsigned)endpoint->port);
}

void cli_relay_say_begin(const cli_relay_def *def, const char *listen) {
    char to[CLIENT_HOST_BYTES + 8];
    name_endpoint(&def->to, to, sizeof to);
    if (def->json) {
        apex_json_writer json = cli_json_begin("listening");
        apex_json_text(&json, "listen", listen);
        apex_json_text(&json, "to", to);
        apex_json_count(&json, "seed", def->relay.seed);
        cli_json_end(&json);
    } else if (!def->quiet) {
        printf("listening on UDP %s, relaying to %s\n", listen, to);
        fflush(stdout);
    }
}

static double percent_of(uint64_t part, uint64_t whole) {
    return whole > 0 ? 100.0 * (double)part / (double)whole : 0.0;
}

void cli_relay_say_status(const netsim_relay_count *count) {
    printf("\r\033[K%" PRIu32 " client%s   up %" PRIu64 ", %.1f%% lost   down %" PRIu64
           ", %.1f%% lost   %" PRIu32 " under way",
           count->clients_now, count->clients_now == 1 ? "" : "s", count->up.sent,
           percent_of(count->up.lost + count->up.dropped, count->up.sent), count->down.sent,
           percent_of(count->down.lost + count->down.dropped, count->down.sent), count->under_way);
    fflush(stdout);
}

static void put_way(apex_json_writer *json, const char *key, const netsim_count *count,
                    uint64_t given) {
    apex_json_open(json, key, '{');
    apex_json_count(json, "datagrams", count->sent);
    apex_json_count(json, "bytes", count->bytes);
    apex_json_count(json, "lost", count->lost);
    apex_json_count(json, "dropped", count->dropped);
    apex_json_count(json, "doubled", count->doubled);
    apex_json_count(json, "held_back", count->held_back);
    apex_json_count(json, "delivered", given);
    apex_json_close(json);
}

static void put_json_end(const netsim_relay_count *count, uint64_t send_errors, double seconds) {
    apex_json_writer json = cli_json_begin("end");
    apex_json_real(&json, "seconds", seconds, 9);
    apex_json_count(&json, "clients", count->clients);
    put_way(&json, "up", &count->up, count->given_up);
    put_way(&json, "down", &count->down, count->given_down);
    apex_json_count(&json, "refused_clients", count->refused_clients);
    apex_json_count(&json, "refused_long", count->refused_long);
    apex_json_count(&json, "refused_under_way", count->refused_under_way);
    apex_json_count(&json, "send_errors", send_errors);
    cli_json_end(&json);
}

static void print_way(const char *name, const netsim_count *count, uint64_t given) {
    printf("%-5s %10" PRIu64 " %10" PRIu64 " %5.1f%% %10" PRIu64 " %10" PRIu64 " %10" PRIu64
           " %10" PRIu64 "\n",
           name, count->sent, count->lost, percent_of(count->lost, count->sent), count->dropped,
           count->doubled, count->held_back, given);
}

void cli_relay_say_end(const cli_relay_def *def, const netsim_relay_count *count,
                       uint64_t send_errors, double seconds) {
    if (def->json) {
        put_json_end(count, send_errors, seconds);
        return;
    }
    if (def->quiet) {
        return;
    }
    printf("%s%.1f s, %" PRIu64 " client%s\n", isatty(STDOUT_FILENO) ? "\r\033[K" : "", seconds,
           count->clients, count->clients == 1 ? "" : "s");
    printf("%-5s %10s %10s %6s %10s %10s %10s %10s\n", "", "datagrams", "lost", "", "dropped",
           "doubled", "held back", "delivered");
    print_way("up", &count->up, count->given_up);
    print_way("down", &count->down, count->given_down);
    uint64_t refused = count->refused_clients + count->refused_long + count->refused_under_way;
    if (refused + send_errors > 0) {
        printf("refused: %" PRIu64 " of clients too many, %" PRIu64 " too long, %" PRIu64
               " with too many under way; not sent: %" PRIu64 "\n",
               count->refused_clients, count->refused_long, count->refused_under_way, send_errors);
    }
}
