// A tick of the server is as many ticks of the recording as its speed asks for, or as many as there
// is time for on the way to where a viewer wants to be.
//
// A jump is a keyframe and up to 600 ticks made again, as many in one tick of the server as its
// clock allows (8 ms); until it is there nothing is shown. The rest of a recording that comes out
// otherwise than its hashes say is refused: what is shown is what was (DECISIONS 36).

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "playback/playback_private.h"
#include "playback/rerun.h"

static const double BUDGET_US = 8000.0;
enum { SURVEY_AGAIN_ROUNDS = 60 };

// A recording that cannot go on stands still, and all are told the reason.
static void halt(apex_playback *playback, const char *why) {
    playback->is_playing = false;
    playback->is_lost = true;
    playback->has_news = true;
    snprintf(playback->notice, sizeof playback->notice, "the recording can't be played on: %s",
             why);
    apex_log(APEX_LOG_WARN, "playback", "%s", playback->notice);
}

// Somebody's line of the roster has changed in this tick of the server.
static void note_roster(apex_playback *playback, apex_player_id player) {
    if (playback->roster_event_count < playback->roster_event_capacity) {
        playback->roster_events[playback->roster_event_count++] =
            (apex_race_event){.kind = APEX_EVENT_JOINED, .player = player};
    }
}

static bool make_tick(apex_playback *playback, apex_race *race, apex_jobs *jobs) {
    char why[PLAYBACK_RERUN_WHY_BYTES] = "";
    apex_replay_step step;
    apex_err err = apex_replay_next(playback->reader, &step, why);
    if (err == APEX_OK) {
        APEX_ASSERT(step.tick == playback->tick);
        err = playback_rerun_step(race, &step, jobs, why);
        playback->tick = apex_world_tick(apex_race_world(race));
        playback->cost.made++;
    }
    if (err != APEX_OK) {
        halt(playback, err == APEX_ERR_CLOSED ? "it ends before its time" : why);
        return false;
    }
    playback_stills_keep(&playback->stills, race, playback->tick);
    for (uint32_t i = 0; i < step.command_count; i++) {
        bool changes_line = step.commands[i].kind == APEX_RACE_TAKEOVER ||
                            step.commands[i].kind == APEX_RACE_HANDBACK ||
                            step.commands[i].kind == APEX_RACE_CAR;
        if (changes_line) {
            note_roster(playback, step.commands[i].player);
        }
    }
    return true;
}

// The store of a recording's server keeps nothing, so what the tick brought may be told at once.
static void queue_news(apex_playback *playback, host_frame *frame, host_news *news,
                       const apex_race *race) {
    frame->events = apex_race_events(race, &frame->event_count);
    host_store_events(frame, news, race, true);
    for (size_t i = 0; i < frame->event_count; i++) {
        if (frame->events[i].kind == APEX_EVENT_LEFT ||
            frame->events[i].kind == APEX_EVENT_JOINED) {
            note_roster(playback, frame->events[i].player);
        }
    }
}

// A viewer who asks for more than this machine can make is told what it makes.
static uint32_t due_ticks(apex_playback *playback) {
    playback->owed_permille += playback->speed_permille;
    uint32_t due = playback->owed_permille / 1000;
    playback->owed_permille %= 1000;
    uint32_t room = playback_ticks_in(&playback->cost, BUDGET_US);
    if (due <= room) {
        return due;
    }
    playback->speed_permille = 1000 * room;
    playback->has_news = true;
    return room;
}

// A recording that ends before its time says so where it ends.
static void tell_early_end(apex_playback *playback) {
    if (playback->extent.why[0] != '\0') {
        snprintf(playback->notice, sizeof playback->notice, "%s", playback->extent.why);
    }
}

// Store and capture for each tick of the race: one of the server may be sixteen, and a change is
// coded against the ticks before it.
static void play(apex_playback *playback, const playback_parts *parts) {
    uint32_t due = due_ticks(playback);
    for (uint32_t i = 0; i < due && playback->tick < playback->extent.ticks; i++) {
        if (!make_tick(playback, parts->race, parts->jobs)) {
            return;
        }
        queue_news(playback, parts->frame, parts->news, parts->race);
        apex_replica_capture(parts->replica, parts->race);
    }
    if (playback->tick == playback->extent.ticks) {
        playback->is_playing = false;
        playback->has_news = true;
        tell_early_end(playback);
    }
}

static void start_over(apex_playback *playback, apex_race *race) {
    apex_err err = apex_race_restore(race, playback->fresh, playback->saved_bytes);
    APEX_ASSERT(err == APEX_OK); // it was saved here
    playback->tick = apex_replay_header_of(playback->reader)->first_tick;
}

static apex_err restore(apex_playback *playback, apex_race *race, uint64_t first,
                        char why[PLAYBACK_RERUN_WHY_BYTES]) {
    apex_replay_blob keyframe;
    apex_err err = apex_replay_seek(playback->reader, first, &keyframe, why);
    if (err != APEX_OK) {
        return err;
    }
    if (first == apex_replay_header_of(playback->reader)->first_tick) { // how it begins is known
        start_over(playback, race);
        return APEX_OK;
    }
    bool is_restored = apex_race_restore(race, keyframe.bytes, keyframe.length) == APEX_OK;
    if (is_restored && apex_world_tick(apex_race_world(race)) == first) {
        playback->tick = first;
        return APEX_OK;
    }
    if (is_restored) {
        start_over(playback, race); // a keyframe of another tick: from nowhere
    }
    snprintf(why, PLAYBACK_RERUN_WHY_BYTES, "the keyframe of tick %llu is damaged",
             (unsigned long long)first);
    return APEX_ERR_CORRUPT;
}

// The reader passes ticks by that need not be made again.
static apex_err take_still(apex_playback *playback, apex_race *race, playback_still still,
                           uint64_t from, char why[PLAYBACK_RERUN_WHY_BYTES]) {
    for (uint64_t tick = from; tick < still.tick; tick++) {
        apex_replay_step step;
        apex_err err = apex_replay_next(playback->reader, &step, why);
        if (err != APEX_OK) {
            return err;
        }
    }
    apex_err err = apex_race_restore(race, still.bytes, playback->saved_bytes);
    APEX_ASSERT(err == APEX_OK); // it was saved here
    playback->tick = still.tick;
    return APEX_OK;
}

static apex_err come_near(apex_playback *playback, apex_race *race,
                          char why[PLAYBACK_RERUN_WHY_BYTES]) {
    uint64_t first = apex_replay_chunk_of(playback->reader, playback->goal);
    bool is_ahead =
        !playback->is_lost && playback->tick >= first && playback->tick <= playback->goal;
    uint64_t from = is_ahead ? playback->tick : first;
    playback_still still = playback_stills_find(&playback->stills, from, playback->goal);
    playback->is_lost = false;
    if (still.tick == 0) {
        return is_ahead ? APEX_OK : restore(playback, race, first, why);
    }
    apex_replay_blob keyframe;
    apex_err err = is_ahead ? APEX_OK : apex_replay_seek(playback->reader, first, &keyframe, why);
    return err == APEX_OK ? take_still(playback, race, still, from, why) : err;
}

static void begin_seek(apex_playback *playback, const playback_parts *parts) {
    char why[PLAYBACK_RERUN_WHY_BYTES] = "";
    playback->is_asked = false;
    playback->is_seeking = true;
    apex_replica_forget(parts->replica);
    apex_replica_codes_forget(parts->codes);
    if (come_near(playback, parts->race, why) != APEX_OK) {
        halt(playback, why);
        playback->goal = playback->tick;
    }
}

// Viewers are sent the last capture first; with the tick before it, all that depends on two
// captures is right at once.
static void go_on_seeking(apex_playback *playback, const playback_parts *parts) {
    uint32_t room = playback_ticks_in(&playback->cost, BUDGET_US);
    for (uint32_t i = 0; i < room && playback->tick < playback->goal; i++) {
        if (playback->tick + 1 == playback->goal) {
            apex_replica_capture(parts->replica, parts->race);
        }
        if (!make_tick(playback, parts->race, parts->jobs)) {
            playback->goal = playback->tick;
        }
    }
}

static void forget_viewers(host_clients *clients, host_roster_news *roster) {
    for (uint32_t i = 0; i < clients->end; i++) {
        host_client *client = &clients->at[i];
        apex_viewer_memory *memory = host_client_memory(clients, client);
        if (memory != NULL) {
            apex_viewer_memory_forget(memory);
        }
        client->needs_roster = client->admitted;
    }
    clients->newcomers_wait = true;
    roster->count = 0;
}

// The order that waits to be told is of the moment before.
static void find_penalties(host_news *news, const apex_race *race) {
    host_order *order = &news->order.next;
    news->order.has_next = false;
    order->count = apex_race_standings(race, order->lines, news->order.capacity);
    host_penalties_find(&news->penalties, race, order->lines, order->count);
}

// Results are told when a race ends; viewers who jump into the time after it have to be told them,
// too. The hash is that of another moment. Earlier events are told from here on.
static void find_results(host_news *news, const apex_race *race, const host_names *names) {
    apex_race_phase phase = apex_race_phase_of(race);
    news->untold_first = news->untold_next = 0;
    news->past.next = 0;
    news->results.told = false;
    find_penalties(news, race);
    if (phase == APEX_PHASE_RESULTS || phase == APEX_PHASE_OVER) {
        host_keep_results(&news->results, race, names);
        news->results.state_hash = 0;
        news->results.told = true;
    }
}

static void arrive(apex_playback *playback, const playback_parts *parts) {
    playback->is_seeking = false;
    playback->has_jumped = true;
    playback->has_news = true;
    playback->epoch++; // all that a viewer has begins anew (DECISIONS 34)
    playback->owed_permille = 0;
    if (playback->tick == playback->extent.ticks) {
        playback->is_playing = false;
        tell_early_end(playback);
    }
    playback->roster_event_count = 0;
    apex_replica_capture(parts->replica, parts->race);
    forget_viewers(parts->clients, &parts->news->roster);
    find_results(parts->news, parts->race, &playback->server->simulation.names);
}

static void seek(apex_playback *playback, const playback_parts *parts) {
    if (playback->is_asked) {
        begin_seek(playback, parts);
    }
    go_on_seeking(playback, parts);
    if (playback->tick >= playback->goal) {
        arrive(playback, parts);
    }
}

static void look_for_more(apex_playback *playback, uint64_t round) {
    uint64_t known = playback->extent.ticks;
    if (playback->extent.is_closed || round % SURVEY_AGAIN_ROUNDS != 0) {
        return;
    }
    (void)apex_replay_survey(playback->reader, &playback->extent);
    playback->has_news |= playback->extent.ticks != known;
}

// Makes the ticks that watchers are to see in this tick of the server.
void playback_advance(apex_playback *playback, const playback_parts *parts, bool is_watched) {
    APEX_ASSERT(playback->goal <= playback->extent.ticks);
    APEX_ASSERT(playback->speed_permille >= APEX_PLAYBACK_SPEED_PERMILLE_MIN &&
                playback->speed_permille <= APEX_PLAYBACK_SPEED_PERMILLE_MAX);
    playback->cost.made = 0;
    playback->has_jumped = false;
    playback->roster_event_count = 0;
    if (is_watched) {
        look_for_more(playback, parts->frame->round);
    }
    if (playback->is_asked || playback->is_seeking) {
        seek(playback, parts);
    } else if (playback->is_playing && is_watched) {
        play(playback, parts);
    }
    if (is_watched && !playback->is_seeking) {
        playback->has_marks_news |=
            playback_scout_go_on(&playback->scout, &playback->extent, &playback->cost);
    }
}
