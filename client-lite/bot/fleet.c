// The fleet's one loop: it lets bots connect a few at a time and ends when the last is done.
#include "client-lite/bot/fleet.h"

#include <stdlib.h>

#include "client-lite/bot/fleet_bot.h"
#include "client-lite/bot/fleet_report.h"
#include "client-lite/cli/loop.h"
#include "client-lite/cli/open_files.h"
#include "client-lite/cli/options.h"
#include "client-lite/commands.h"
#include "client-lite/pilot/plans.h"

enum {
    ROUND_MS = 8, ///< twice in a tick of 60 Hz, so that no tick goes by unsampled
    CONNECTING_MAX = 32,
};

static void start_bots(cli_fleet *fleet) {
    uint32_t connecting = 0;
    for (uint32_t i = 0; i < fleet->started; i++) {
        const cli_bot_one *bot = &fleet->bots[i];
        connecting += bot->state == CLI_BOT_RUNNING && !bot->told_joined;
    }
    // The rest waits for the first: what refuses it refuses all, and its definitions serve all.
    uint32_t may_start = fleet->plan != NULL ? fleet->def.count : 1;
    while (fleet->started < may_start && connecting < CONNECTING_MAX) {
        cli_bot_start(fleet, fleet->started++);
        connecting++;
    }
}

static void leave_all(cli_fleet *fleet) {
    fleet->leaving = true;
    for (uint32_t i = 0; i < fleet->started; i++) {
        if (fleet->bots[i].state == CLI_BOT_RUNNING) {
            apex_client_leave(fleet->bots[i].client);
        }
    }
}

static bool all_done(const cli_fleet *fleet) {
    bool no_more = fleet->leaving || fleet->plan == NULL || fleet->started == fleet->def.count;
    return no_more && fleet->over + fleet->lost == fleet->started;
}

static void on_round(void *context) {
    cli_fleet *fleet = context;
    uint64_t time_us = cli_now_us();
    double seconds = (double)(time_us - fleet->begun_us) / 1e6;
    if (!fleet->leaving && fleet->def.seconds > 0.0 && seconds >= fleet->def.seconds) {
        leave_all(fleet);
    }
    if (!fleet->leaving) {
        start_bots(fleet);
    }
    for (uint32_t i = 0; i < fleet->started; i++) {
        if (fleet->bots[i].state == CLI_BOT_RUNNING) {
            cli_bot_update(&fleet->bots[i], time_us);
        }
    }
    if (all_done(fleet)) {
        cli_loop_end(&fleet->loop);
    }
}

static void on_stop(void *context) {
    leave_all(context);
}

int cli_fleet_run(const cli_fleet_def *def) {
    // Every bot has a socket of its own; where there are too few, cli_bot_start says what is wrong.
    (void)cli_raise_open_files();
    cli_fleet *fleet = calloc(1, sizeof *fleet);
    cli_bot_one *bots = calloc(def->count, sizeof *bots);
    apex_driver_lot *lots = calloc(def->count, sizeof *lots);
    client_plans *plans = client_plans_create();
    if (fleet != NULL) {
        fleet->loop.on_round = on_round;
        fleet->loop.on_stop = on_stop;
        fleet->loop.context = fleet;
    }
    if (fleet == NULL || bots == NULL || lots == NULL || plans == NULL ||
        !cli_loop_open(&fleet->loop, ROUND_MS)) {
        cli_complain("out of memory");
        client_plans_destroy(plans);
        free(lots);
        free(bots);
        free(fleet);
        return CLI_FAILED;
    }
    fleet->def = *def;
    fleet->report = (cli_report){.quiet = def->quiet, .json = def->json};
    fleet->bots = bots;
    fleet->lots = lots;
    fleet->plans = plans;
    fleet->begun_us = cli_now_us();
    for (uint32_t i = 0; i < def->count; i++) {
        cli_bot_init(fleet, i);
    }
    cli_loop_run(&fleet->loop);
    cli_report_end(&fleet->report, fleet->over, fleet->lost, def->figures);
    int code = fleet->lost == 0 ? CLI_OK : CLI_FAILED;
    for (uint32_t i = 0; i < def->count; i++) {
        apex_client_destroy(bots[i].client);
    }
    client_plans_destroy(plans);
    free(lots);
    free(bots);
    free(fleet);
    return code;
}
