/// A server's figures of itself, as data for those who show them: the console, the web, metrics.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "host/figures/refusals.h"
#include "host/host.h"
#include "host/load/tick_load.h"
#include "host/news/news.h"
#include "host/setup.h"

/// The driver of a car: his connection, and the way his controls arrive.
typedef struct host_driver {
    bool connected;      ///< a client is there, or is expected back
    bool lost;           ///< its link broke and the server drives
    const char *address; ///< without port; "" if not connected
    bool has_quality;    ///< the next is known: of a browser behind a proxy it is not
    apex_link_quality quality;
    bool knows_loss; ///< the next is known: of a client that takes whole snapshots it is not
    uint32_t lost_ppm;
    uint64_t controls_on_tick, controls_repeated; ///< of its own, since it came
} host_driver;

host_driver host_driver_of(const apex_server *server, const apex_standing *line);

/// Who a player is, or was, whose line stands in the order.
apex_store_who host_who_is(const apex_server *server, apex_player_id player);

/// The order as clients may be told it: no lap in it that the store has not got. Good until the
/// next tick.
const apex_standing *host_told_lines(const apex_server *server, size_t *count);

/// What is kept of the player of one of those lines; NULL of an event without sessions and rules.
const host_line_conduct *host_told_conduct(const apex_server *server, const apex_standing *line);
/// The session as clients were told it, with its lists. @return false: of such an event
bool host_told_session(const apex_server *server, apex_race_session *out);
/// Penalties that clients were told of; none of such an event.
const host_penalties *host_told_penalties(const apex_server *server);

/// Room for a key, terminator and all.
enum { HOST_KEY_BYTES = 48 };
/// A counter's name as a key or a label: "refused-no-link" is "refused_no_link". @return out
const char *host_key_of(const char *name, char out[HOST_KEY_BYTES]);

/// All refusals, in a fixed order, also those that never happened.
size_t host_refusals(const apex_server *server, host_refusal out[HOST_REFUSALS_MAX]);

/// @return whether somebody can join. @param[out] why the reason if not, a constant.
bool host_is_ready(const apex_server *server, const char **why);
/// @return whether it does what it is there for at all; likewise.
bool host_is_alive(const apex_server *server, uint64_t now_us, const char **why);

const host_setup *host_setup_of(const apex_server *server);
const host_load *host_load_of(const apex_server *server);
/// Those that clients were told, or are to be.
const host_results *host_results_of(const apex_server *server);
uint64_t host_uptime_us(const apex_server *server);
uint64_t host_rounds(const apex_server *server); ///< ticks, and those in which it was idle
bool host_is_stopping(const apex_server *server);
bool host_is_locked(const apex_server *server); ///< nobody new gets in
uint32_t host_client_count(const apex_server *server);
uint32_t host_guest_count(const apex_server *server); ///< players without a key, bots left out
/// Snapshots of cars side by side alone, sent between others since the start.
uint64_t host_nearest_sent(const apex_server *server);
/// By which its stages are measured; NULL: they are not.
uint64_t (*host_clock_of(const apex_server *server))(void);

/// The progress of storing.
typedef struct host_store_figures {
    uint64_t waiting, committed; ///< records
    uint64_t never_told;         ///< events that clients were not told of
    bool is_failing;
} host_store_figures;

host_store_figures host_store_figures_of(const apex_server *server);
