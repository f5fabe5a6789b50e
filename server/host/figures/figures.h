/// What a server knows of itself, as data for those who show it: the console, the web, metrics.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "host/host.h"
#include "host/load/overload.h"

/// The running order, all lines of it. NULL and none if the arena has no room.
const apex_standing *host_order(const apex_server *server, apex_arena *arena, size_t *count);

/// Who sits in a car, and where.
typedef struct host_driver {
    bool connected;      ///< a client is there, or is expected back
    bool lost;           ///< its link broke and the server drives
    const char *address; ///< without port; "" if not connected
    bool has_line;       ///< the next is known: of a browser behind a proxy it is not
    apex_link_line line;
    bool knows_loss; ///< the next is known: of who takes whole snapshots it is not
    uint32_t lost_ppm;
    uint64_t controls_on_tick, controls_repeated; ///< of its own, since it came
} host_driver;

host_driver host_driver_of(apex_server *server, const apex_standing *line);

/// What was refused or went wrong, by the layer that did it.
typedef struct host_refusal {
    const char *layer; ///< "transport", "session", "race"
    const char *name;  ///< "refused-password", "closed-silent"
    uint64_t count;
} host_refusal;

enum { HOST_REFUSALS_MAX = 48 };

/// Room for a key, terminator and all.
enum { HOST_KEY_BYTES = 48 };
/// A counter's name as a key or a label: "refused-no-link" is "refused_no_link". @return out
const char *host_key_of(const char *name, char out[HOST_KEY_BYTES]);

/// Whether host_refusals has it.
bool host_is_refusal(apex_transport_counter counter);
/// All of them, in a fixed order, also those that never happened.
size_t host_refusals(const apex_server *server, host_refusal out[HOST_REFUSALS_MAX]);

/// The depth of controls, in ticks in hand, that a share of the ticks had at most.
uint32_t host_controls_depth_quantile(const apex_controls_counters *controls, double share);

enum { HOST_WAITING_BYTES = APEX_LOBBY_TEXT_BYTES };
/// As people see it: what is left of the lobby is in real time, whatever the race's speed.
apex_race_status host_race_status(const apex_server *server);
/// What a lobby waits for, as apex_lobby_text. @return out, "" if the race is past it
const char *host_waiting(const apex_race_status *status, char out[HOST_WAITING_BYTES]);

/// Whether somebody can join, and if not why; the sentence is a constant.
bool host_is_ready(const apex_server *server, const char **why);
/// Whether it does what it is there for at all; likewise.
bool host_is_alive(const apex_server *server, uint64_t now_us, const char **why);
