/// The state of a fleet of bots: the options, the bots, and what they share.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

#include "base/histogram.h"
#include "client-lite/cli/endpoint.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/races.h"
#include "client-lite/cli/rival_figures.h"
#include "client-lite/keyring/entry.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/pilot/plans.h"

typedef struct cli_fleet_def {
    client_endpoint server;
    uint32_t count;
    const char *prefix, *car;
    cli_entry *entry;     ///< how they come in; borrowed
    double skill;         ///< 0: a small spread round the default
    uint32_t laps, races; ///< 0: any number
    double seconds;       ///< 0: until the event is over
    bool quiet, json;
    bool figures; ///< at the end
    bool no_reconnect;
    uint64_t seed; ///< strengths and lanes of each race are dealt from it; 0: they stay the same
} cli_fleet_def;

typedef struct cli_fleet cli_fleet;

typedef enum cli_bot_state {
    CLI_BOT_WAITING, ///< not connected yet
    CLI_BOT_RUNNING,
    CLI_BOT_OVER, ///< ended as it should
    CLI_BOT_LOST, ///< refused, thrown out or cut off
} cli_bot_state;

typedef struct cli_bot_one {
    cli_fleet *fleet;
    apex_client *client;
    uv_poll_t poll;
    char name[APEX_WIRE_NAME_BYTES];
    double skill, lane_m;
    uint32_t dealt_race; ///< the race whose lot these are; 0: of none
    client_pilot pilot;
    cli_races races;
    uint64_t drove_us;
    cli_bot_state state;
    bool polling, told_joined;
    bool told_lost; ///< and not yet that it is back
} cli_bot_one;

/// The words that a fleet has printed and its counts.
typedef struct cli_report {
    bool quiet, json;
    uint32_t results_told; ///< number of the last race whose results were printed
    char lost_text[256];   ///< the last reason printed, so that a hundred bots give it once
    uint32_t lost_unsaid;
    apex_histogram input_effects_us; ///< of the bots that have ended, like the next three
    cli_rival_figures rivals;
    uint64_t snapshots, on_tick; ///< snapshots, and those for whose tick a sample had been there
} cli_report;

struct cli_fleet {
    cli_fleet_def def;
    cli_report report;
    cli_loop loop;
    client_plans *plans;
    const apex_driver_plan *plan; ///< all bots drive the same car
    cli_bot_one *bots;
    apex_driver_lot *lots; ///< of the race dealt last
    uint32_t started;      ///< bots that have been told to connect; the first goes alone
    uint32_t over, lost;
    uint64_t begun_us;
    bool leaving;
};
