// A bot is a client with a pilot: it joins, drives, tells what became of it and ends.
#include "client-lite/bot/fleet_bot.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/assert.h"
#include "base/hash.h"
#include "client-lite/bot/fleet_report.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/options.h"
#include "client-lite/cli/races.h"
#include "client-lite/pilot/pilot.h"
#include "client-lite/pilot/plans.h"

// Measured in a pack: a bot that looks ahead takes 5 ms a second and 3 MiB, one with foresight 2
// ms.
enum { FEW_BOTS = 64, LOOKING_BOTS_MAX = 32 };

// A killed server must be noticed, and told, within five seconds.
static const uint64_t SILENCE_US = 4000000;
static const uint64_t DRIVE_US = 15000;
static const uint64_t DRIVE_US_MANY = 30000;
static const double SKILL = 0.95;
static const double SKILL_SPREAD = 0.02;
static const double DEALT_SPREAD = 0.06; // with a seed: as of the server's bots
static const double LANE_SPREAD_M = 1.0;
// Low-discrepancy spread over 0..1: neighbours on the grid differ, and any number of bots fills it.
static double spread(uint32_t index) {
    double turned = (double)index * 0.6180339887498949;
    return turned - floor(turned);
}

static void name_bot(cli_bot_one *bot, const cli_fleet_def *def, uint32_t index) {
    if (def->count == 1) {
        snprintf(bot->name, sizeof bot->name, "%s", def->prefix);
        return;
    }
    int digits = def->count < 100 ? 2 : def->count < 1000 ? 3 : 5;
    char number[16];
    int length = snprintf(number, sizeof number, "-%0*" PRIu32, digits, index + 1);
    int room = (int)sizeof bot->name - 1 - length;
    snprintf(bot->name, sizeof bot->name, "%.*s%s", room, def->prefix, number);
}

void cli_bot_init(cli_fleet *fleet, uint32_t index) {
    const cli_fleet_def *def = &fleet->def;
    cli_bot_one *bot = &fleet->bots[index];
    bot->fleet = fleet;
    bot->races.wanted = def->races;
    name_bot(bot, def, index);
    bot->skill = def->skill > 0.0 ? def->skill : SKILL + SKILL_SPREAD * (spread(index) - 0.5);
    bot->lane_m = LANE_SPREAD_M * (spread(index + 7) - 0.5);
}

// Deals this bot its place in a race's lot. All are dealt, as each may see the race's number at
// another moment.
static void draw_lot(cli_bot_one *bot, uint32_t race_number) {
    cli_fleet *fleet = bot->fleet;
    uint64_t words[2] = {fleet->def.seed, race_number};
    apex_driver_field field = {
        .seed = apex_hash_bytes(words, sizeof words, 0),
        .count = fleet->def.count,
        .skill = fleet->def.skill > 0.0 ? fleet->def.skill : SKILL,
        .skill_spread = DEALT_SPREAD,
        .lane_m = 0.5 * LANE_SPREAD_M,
        .car_count = 1,
    };
    apex_driver_deal(&field, fleet->lots);
    const apex_driver_lot *lot = &fleet->lots[bot - fleet->bots];
    bot->dealt_race = race_number;
    bot->skill = lot->skill;
    bot->lane_m = lot->lane_m;
    bot->pilot.skill = bot->pilot.driver.skill = lot->skill;
    bot->pilot.driver.lane_m = lot->lane_m;
    bot->pilot.driver.patience_s = lot->patience_s;
}

static void draw_lot_if_new(cli_bot_one *bot) {
    const apex_race_state *state = apex_client_race_state(bot->client);
    if (bot->fleet->def.seed != 0 && state != NULL && state->race_number != bot->dealt_race) {
        draw_lot(bot, state->race_number);
    }
}

static void end_bot(cli_bot_one *bot, cli_bot_state state) {
    APEX_ASSERT(bot->state == CLI_BOT_WAITING || bot->state == CLI_BOT_RUNNING);
    bot->state = state;
    if (bot->client != NULL) {
        apex_histogram_merge(&bot->fleet->report.input_effects_us,
                             apex_client_input_effects(bot->client));
        apex_client_stats stats = apex_client_stats_of(bot->client);
        apex_client_prediction predicted = apex_client_prediction_of(bot->client);
        cli_rival_figures_hear(&bot->fleet->report.rivals, &predicted.rivals);
        bot->fleet->report.snapshots += stats.snapshot_ticks;
        bot->fleet->report.on_tick += stats.controls_on_tick;
    }
    if (bot->polling) {
        bot->polling = false;
        uv_poll_stop(&bot->poll);
        uv_close((uv_handle_t *)&bot->poll, NULL);
    }
    if (state == CLI_BOT_OVER) {
        bot->fleet->over++;
    } else {
        bot->fleet->lost++;
    }
}

static void lose_bot(cli_bot_one *bot, const char *reason, const char *text) {
    cli_report_lost(&bot->fleet->report, bot->name, reason, text);
    end_bot(bot, CLI_BOT_LOST);
}

static void on_closed(cli_bot_one *bot) {
    apex_reason reason = apex_client_close_reason(bot->client, NULL);
    bool over = reason == APEX_REASON_NONE || reason == APEX_REASON_EVENT_OVER;
    cli_report_results(&bot->fleet->report, bot);
    if (!bot->told_joined && reason == APEX_REASON_NONE && !bot->fleet->loop.asked_to_stop) {
        lose_bot(bot, "time", "the time was up before the race could be joined");
    } else if (over) {
        end_bot(bot, CLI_BOT_OVER);
    } else {
        char why[CLI_WHY_BYTES];
        lose_bot(bot, apex_reason_name(reason),
                 cli_entry_why(bot->fleet->def.entry, bot->client, why));
    }
}

static bool laps_are_done(const cli_bot_one *bot) {
    uint32_t wanted = bot->fleet->def.laps;
    size_t count;
    const apex_race_event_message *events = apex_client_events(bot->client, &count);
    for (size_t i = 0; wanted > 0 && i < count; i++) {
        if (events[i].kind == APEX_WIRE_EVENT_LAP &&
            events[i].player == apex_client_player(bot->client) &&
            events[i].value >= (int64_t)wanted) {
            return true;
        }
    }
    return false;
}

// The first bot brings the definitions; the line made from them serves all.
static bool plan_ready(cli_bot_one *bot) {
    cli_fleet *fleet = bot->fleet;
    if (fleet->plan != NULL) {
        return true;
    }
    if (apex_client_state_of(bot->client) < APEX_CLIENT_JOINING) {
        return false;
    }
    const char *problem;
    fleet->plan = client_plans_for(fleet->plans, bot->client, fleet->def.car, &problem);
    if (fleet->plan == NULL) {
        apex_client_leave(bot->client);
        lose_bot(bot, "definitions", problem);
    }
    return fleet->plan != NULL;
}

static void drive(cli_bot_one *bot, uint64_t time_us) {
    uint64_t period_us = bot->fleet->def.count <= FEW_BOTS ? DRIVE_US : DRIVE_US_MANY;
    // A race in a hurry wants quicker hands; 0 means as fast as possible.
    uint32_t speed_permille = apex_client_welcome(bot->client)->speed_permille;
    period_us = speed_permille == 0 ? 0 : period_us * 1000 / speed_permille;
    if (time_us - bot->drove_us < period_us) {
        return;
    }
    bot->drove_us = time_us;
    client_pilot_drive(&bot->pilot, bot->client, time_us);
}

static void tell_of_link(cli_bot_one *bot) {
    apex_client_state state = apex_client_state_of(bot->client);
    if (state == APEX_CLIENT_RECONNECTING && !bot->told_lost) {
        bot->told_lost = true;
        cli_report_lost_link(&bot->fleet->report, bot);
    } else if (state == APEX_CLIENT_DRIVING && bot->told_lost) {
        bot->told_lost = false;
        cli_report_back(&bot->fleet->report, bot);
    }
}

static void act(cli_bot_one *bot, uint64_t time_us) {
    tell_of_link(bot);
    if (apex_client_demoted(bot->client)) { // too slow a machine to send controls, for one
        apex_client_leave(bot->client);
        lose_bot(bot, apex_reason_name(APEX_REASON_IDLE), apex_reason_text(APEX_REASON_IDLE));
        return;
    }
    if (!plan_ready(bot) || apex_client_state_of(bot->client) != APEX_CLIENT_DRIVING) {
        return;
    }
    if (!bot->told_joined) {
        bot->told_joined = true;
        bot->pilot = client_pilot_create(bot->fleet->plan, bot->skill, bot->lane_m);
        if (bot->fleet->def.count <= FEW_BOTS) {
            bot->pilot.foresight = client_plans_foresight(bot->fleet->plans, bot->fleet->plan,
                                                          apex_client_welcome(bot->client));
        }
        cli_report_joined(&bot->fleet->report, bot);
    }
    draw_lot_if_new(bot);
    client_pilot_listen(&bot->pilot, bot->client);
    cli_report_results(&bot->fleet->report, bot);
    drive(bot, time_us);
    if (laps_are_done(bot) || cli_races_are_done(&bot->races, bot->client)) {
        apex_client_leave(bot->client);
    }
}

// A bot answers at once: a server that waits for it goes at that pace.
void cli_bot_update(cli_bot_one *bot, uint64_t time_us) {
    apex_client_hear(bot->client, time_us);
    cli_entry_note(bot->fleet->def.entry, bot->client);
    cli_report_events(&bot->fleet->report, bot);
    if (apex_client_state_of(bot->client) == APEX_CLIENT_CLOSED) {
        on_closed(bot);
        return;
    }
    act(bot, time_us);
    apex_client_speak(bot->client, time_us);
}

static void on_readable(uv_poll_t *poll, int status, int events) {
    (void)status; // an error on the socket shows itself as silence
    (void)events;
    cli_bot_one *bot = poll->data;
    if (bot->state == CLI_BOT_RUNNING) {
        cli_bot_update(bot, cli_now_us());
    }
}

void cli_bot_start(cli_fleet *fleet, uint32_t index) {
    cli_bot_one *bot = &fleet->bots[index];
    const cli_fleet_def *fleet_def = &fleet->def;
    apex_client_def def = apex_default_client_def();
    cli_entry_apply(fleet_def->entry, &def);
    def.name = bot->name;
    def.car = fleet_def->car;
    def.want_defs = index == 0;
    def.ahead = fleet_def->count <= LOOKING_BOTS_MAX;
    def.tracks = client_plans_tracks(fleet->plans);
    def.silence_timeout_us = SILENCE_US;
    def.reconnect = !fleet_def->no_reconnect;
    apex_err err = apex_client_create(&def, &bot->client);
    if (err == APEX_OK) {
        err = apex_client_connect(bot->client, fleet_def->server.host, fleet_def->server.port);
    }
    if (err == APEX_ERR_NOT_FOUND) {
        char text[400];
        snprintf(text, sizeof text, "no host is called '%s': check the name",
                 fleet_def->server.host);
        lose_bot(bot, apex_err_name(err), text);
        return;
    }
    if (err != APEX_OK ||
        uv_poll_init(&fleet->loop.loop, &bot->poll, apex_client_socket(bot->client))) {
        lose_bot(bot, apex_err_name(err), "cannot open a socket: too many open files? (ulimit -n)");
        return;
    }
    bot->poll.data = bot;
    bot->polling = true;
    bot->state = CLI_BOT_RUNNING;
    uv_poll_start(&bot->poll, UV_READABLE, on_readable);
}
