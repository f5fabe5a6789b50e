/// The state of a run of the load generator: its clients, and what they share.
#pragma once

#include <uv.h>

#include "client-lite/cli/loop.h"
#include "client-lite/keyring/entry.h"
#include "client-lite/load/crowd/wheel.h"
#include "client-lite/load/report/load_def.h"
#include "client-lite/load/report/load_tally.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/pilot/plans.h"

typedef struct cli_load_crowd cli_load_crowd;

typedef enum cli_load_state {
    CLI_LOAD_WAITING, ///< not begun, or to begin anew
    CLI_LOAD_RUNNING,
    CLI_LOAD_CLOSING, ///< the loop has yet to let go of its socket
    CLI_LOAD_GONE,    ///< refused, lost, or left at the end
} cli_load_state;

/// A place for a client; with churn several have it, one after the other.
typedef struct cli_load_one {
    cli_load_crowd *load;
    apex_client *client;
    uv_poll_t poll;
    cli_load_state state;
    uint32_t index, lives;
    bool spectates, sampled, in, leaving, comes_again;
    uint32_t own_tick;      ///< of what is known of the own car
    uint64_t heard_us;      ///< when its socket was last read
    uint64_t news_us;       ///< when a newer snapshot last came
    uint64_t measured_us;   ///< since when it counts; 0: it does not
    apex_client_stats seen; ///< at the last look
    apex_client_stats base; ///< when it began to count
    client_crowd_driver driver;
    client_pilot pilot; ///< of those who drive with open eyes
    bool has_pilot;
} cli_load_one;

typedef enum cli_load_phase {
    CLI_LOAD_RAMP,
    CLI_LOAD_SETTLING,
    CLI_LOAD_MEASURING,
    CLI_LOAD_LEAVING
} cli_load_phase;

struct cli_load_crowd {
    cli_load_def def;
    cli_entry *entry; ///< how they come in; borrowed
    cli_loop loop;
    client_wheel wheel;
    client_plans *plans;
    const apex_driver_plan *plan;
    client_crowd_line *line; ///< NULL on a track without a lap
    cli_load_one *all;       ///< players, then spectators
    uint32_t total, started, running, told_to_leave, spectators_in;
    bool ready, hopeless, on_terminal;
    cli_load_phase phase;
    uint64_t phase_us, ramp_us, last_started_us, churn_us, churned, told_us;
    uint64_t round_us, round_over_us; ///< when the last turn of the loop began and ended
    uint64_t random;
    cli_load_tally tally;
    cli_load_lately lately;
    cli_load_counts counts, counts_at_end;
};
