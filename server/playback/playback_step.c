// A tick of the server is as many ticks of the recording as its speed asks for, or as many as there
// is time for on the way to where a viewer wants to be: from the last keyframe before it.

#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/log.h"
#include "host/host_private.h"

static const double BUDGET_US = 8000.0;
enum { SURVEY_AGAIN_ROUNDS = 60 };

// --- Pace ----------------------------------------------------------------------------------------

uint32_t host_pace_room(const host_pace *pace, double budget_us) {
    const double TICKS_MAX = 600.0;
    double ticks = budget_us / pace->tick_us;
    return ticks >= TICKS_MAX ? (uint32_t)TICKS_MAX : ticks > 1.0 ? (uint32_t)ticks : 1;
}

// A tick of the server that was held up for long says little about the race: it counts as twice of
// what was expected.
void host_pace_learn(host_pace *pace, uint64_t work_us) {
    const double SHARE = 0.125, LEAST_US = 1.0;
    if (pace->made == 0) {
        return;
    }
    double tick_us = (double)work_us / pace->made;
    double most_us = 2.0 * pace->tick_us;
    tick_us = tick_us < most_us ? tick_us : most_us;
    pace->tick_us += SHARE * (tick_us - pace->tick_us);
    pace->tick_us = pace->tick_us > LEAST_US ? pace->tick_us : LEAST_US;
}

// --- One tick ------------------------------------------------------------------------------------

// What comes of a recording that cannot go on is said to all, and it stands still.
static void halt(apex_server *server, const char *why) {
    host_playback *playback = server->playback;
    playback->is_playing = false;
    playback->is_lost = true;
    playback->has_news = true;
    snprintf(playback->notice, sizeof playback->notice, "the recording can't be played on: %s",
             why);
    apex_log(APEX_LOG_WARN, "playback", "%s", playback->notice);
}

static bool make_tick(apex_server *server) {
    host_playback *playback = server->playback;
    char why[HOST_RERUN_WHY_BYTES] = "";
    apex_replay_step step;
    apex_err err = apex_replay_next(playback->reader, &step, why);
    if (err == APEX_OK) {
        APEX_ASSERT(step.tick == playback->tick);
        err = host_rerun_step(server->race, &step, server->jobs, why);
        playback->tick = apex_world_tick(apex_race_world(server->race));
        playback->pace.made++;
    }
    if (err != APEX_OK) {
        halt(server, err == APEX_ERR_CLOSED ? "it ends before its time" : why);
        return false;
    }
    host_stills_keep(&playback->stills, server->race, playback->tick);
    for (uint32_t i = 0; i < step.command_count; i++) {
        bool changes_line = step.commands[i].kind == APEX_RACE_TAKEOVER ||
                            step.commands[i].kind == APEX_RACE_HANDBACK ||
                            step.commands[i].kind == APEX_RACE_CAR;
        if (changes_line) {
            host_playback_note_roster(playback, step.commands[i].player);
        }
    }
    return true;
}

void host_playback_note_roster(host_playback *playback, apex_player_id player) {
    if (playback->roster_event_count < playback->roster_event_capacity) {
        playback->roster_events[playback->roster_event_count++] =
            (apex_race_event){.kind = APEX_EVENT_JOINED, .player = player};
    }
}

// --- Playing -------------------------------------------------------------------------------------

static void tell_tick(apex_server *server) {
    host_frame *frame = &server->frame;
    frame->events = apex_race_events(server->race, &frame->event_count);
    host_store_events(server);
    for (size_t i = 0; i < frame->event_count; i++) {
        if (frame->events[i].kind == APEX_EVENT_LEFT ||
            frame->events[i].kind == APEX_EVENT_JOINED) {
            host_playback_note_roster(server->playback, frame->events[i].player);
        }
    }
    apex_replica_capture(server->replica, server->race);
}

// Who asks for more than this machine can make is told what it makes.
static uint32_t due_ticks(host_playback *playback) {
    playback->owed_permille += playback->speed_permille;
    uint32_t due = playback->owed_permille / 1000;
    playback->owed_permille %= 1000;
    uint32_t room = host_pace_room(&playback->pace, BUDGET_US);
    if (due <= room) {
        return due;
    }
    playback->speed_permille = 1000 * room;
    playback->has_news = true;
    return room;
}

// A recording that ends before its time says so where it ends.
static void tell_early_end(host_playback *playback) {
    if (playback->extent.why[0] != '\0') {
        snprintf(playback->notice, sizeof playback->notice, "%s", playback->extent.why);
    }
}

static void play(apex_server *server) {
    host_playback *playback = server->playback;
    uint32_t due = due_ticks(playback);
    for (uint32_t i = 0; i < due && playback->tick < playback->extent.ticks; i++) {
        if (!make_tick(server)) {
            return;
        }
        tell_tick(server);
    }
    if (playback->tick == playback->extent.ticks) {
        playback->is_playing = false;
        playback->has_news = true;
        tell_early_end(playback);
    }
}

// --- Seeking -------------------------------------------------------------------------------------

static void start_over(apex_server *server) {
    host_playback *playback = server->playback;
    apex_err err = apex_race_restore(server->race, playback->fresh, playback->saved_bytes);
    APEX_ASSERT(err == APEX_OK); // it was saved here
    playback->tick = 0;
}

static apex_err restore(apex_server *server, uint64_t first, char why[HOST_RERUN_WHY_BYTES]) {
    host_playback *playback = server->playback;
    apex_replay_blob keyframe;
    apex_err err = apex_replay_seek(playback->reader, first, &keyframe, why);
    if (err != APEX_OK) {
        return err;
    }
    if (first == 0) { // how a race begins is known
        start_over(server);
        return APEX_OK;
    }
    bool is_restored = apex_race_restore(server->race, keyframe.bytes, keyframe.length) == APEX_OK;
    if (is_restored && apex_world_tick(apex_race_world(server->race)) == first) {
        playback->tick = first;
        return APEX_OK;
    }
    if (is_restored) {
        start_over(server); // a keyframe of another tick: from nowhere
    }
    snprintf(why, HOST_RERUN_WHY_BYTES, "the keyframe of tick %llu is damaged",
             (unsigned long long)first);
    return APEX_ERR_CORRUPT;
}

// The reader passes ticks by that need not be made again.
static apex_err take_still(apex_server *server, host_still still, uint64_t from,
                           char why[HOST_RERUN_WHY_BYTES]) {
    host_playback *playback = server->playback;
    for (uint64_t tick = from; tick < still.tick; tick++) {
        apex_replay_step step;
        apex_err err = apex_replay_next(playback->reader, &step, why);
        if (err != APEX_OK) {
            return err;
        }
    }
    apex_err err = apex_race_restore(server->race, still.bytes, playback->saved_bytes);
    APEX_ASSERT(err == APEX_OK); // it was saved here
    playback->tick = still.tick;
    return APEX_OK;
}

static apex_err come_near(apex_server *server, char why[HOST_RERUN_WHY_BYTES]) {
    host_playback *playback = server->playback;
    uint64_t first = apex_replay_chunk_of(playback->reader, playback->goal);
    bool is_ahead =
        !playback->is_lost && playback->tick >= first && playback->tick <= playback->goal;
    uint64_t from = is_ahead ? playback->tick : first;
    host_still still = host_stills_find(&playback->stills, from, playback->goal);
    playback->is_lost = false;
    if (still.tick == 0) {
        return is_ahead ? APEX_OK : restore(server, first, why);
    }
    apex_replay_blob keyframe;
    apex_err err = is_ahead ? APEX_OK : apex_replay_seek(playback->reader, first, &keyframe, why);
    return err == APEX_OK ? take_still(server, still, from, why) : err;
}

static void begin_seek(apex_server *server) {
    host_playback *playback = server->playback;
    char why[HOST_RERUN_WHY_BYTES] = "";
    playback->is_asked = false;
    playback->is_seeking = true;
    apex_replica_forget(server->replica);
    if (come_near(server, why) != APEX_OK) {
        halt(server, why);
        playback->goal = playback->tick;
    }
}

// What was captured last is what viewers are sent first; with the tick before it, what depends on
// two of them is right at once.
static void go_on_seeking(apex_server *server) {
    host_playback *playback = server->playback;
    uint32_t room = host_pace_room(&playback->pace, BUDGET_US);
    for (uint32_t i = 0; i < room && playback->tick < playback->goal; i++) {
        if (playback->tick + 1 == playback->goal) {
            apex_replica_capture(server->replica, server->race);
        }
        if (!make_tick(server)) {
            playback->goal = playback->tick;
        }
    }
}

static void forget_viewers(apex_server *server) {
    for (uint32_t i = 0; i < server->clients.end; i++) {
        host_client *client = &server->clients.at[i];
        apex_viewer_memory *memory = host_client_memory(&server->clients, client);
        if (memory != NULL) {
            apex_viewer_memory_forget(memory);
        }
        client->heard = (apex_snapshot_ack){.newest = 0};
        client->needs_roster = client->admitted;
    }
    server->newcomers_wait = true;
    server->roster_news.count = 0;
}

// Results are told when a race ends; who comes from elsewhere into the time after it has to be told
// what they were. The hash is that of another moment. What happened before is told from here on.
static void find_results(apex_server *server) {
    apex_race_phase phase = apex_race_phase_of(server->race);
    server->untold_first = server->untold_next = 0;
    server->past.next = 0;
    server->results.told = false;
    if (phase == APEX_PHASE_RESULTS || phase == APEX_PHASE_OVER) {
        host_keep_results(server);
        server->results.state_hash = 0;
        server->results.told = true;
    }
}

static void arrive(apex_server *server) {
    host_playback *playback = server->playback;
    playback->is_seeking = false;
    playback->has_jumped = true;
    playback->has_news = true;
    playback->epoch++;
    playback->owed_permille = 0;
    if (playback->tick == playback->extent.ticks) {
        playback->is_playing = false;
        tell_early_end(playback);
    }
    playback->roster_event_count = 0;
    apex_replica_capture(server->replica, server->race);
    forget_viewers(server);
    find_results(server);
}

static void seek(apex_server *server) {
    host_playback *playback = server->playback;
    if (playback->is_asked) {
        begin_seek(server);
    }
    go_on_seeking(server);
    if (playback->tick >= playback->goal) {
        arrive(server);
    }
}

// --- A tick of the server ------------------------------------------------------------------------

static void look_for_more(apex_server *server) {
    host_playback *playback = server->playback;
    uint64_t known = playback->extent.ticks;
    if (playback->extent.is_closed || server->rounds % SURVEY_AGAIN_ROUNDS != 0) {
        return;
    }
    (void)apex_replay_survey(playback->reader, &playback->extent);
    playback->has_news |= playback->extent.ticks != known;
}

// What the watchers are to see of this tick of the server.
static void advance(apex_server *server) {
    host_playback *playback = server->playback;
    playback->pace.made = 0;
    playback->has_jumped = false;
    playback->roster_event_count = 0;
    bool is_watched = apex_sessions_welcomed(server->sessions) > 0;
    if (is_watched) {
        look_for_more(server);
    }
    if (playback->is_asked || playback->is_seeking) {
        seek(server);
    } else if (playback->is_playing && is_watched) {
        play(server);
    }
    if (is_watched && !playback->is_seeking) {
        host_scout_go_on(playback, apex_race_tick_hz(server->race));
    }
}

void host_playback_step(apex_server *server) {
    host_playback *playback = server->playback;
    uint64_t began_us = server->clock_us != NULL ? server->clock_us() : 0;
    advance(server);
    if (server->clock_us != NULL) {
        host_pace_learn(&playback->pace, server->clock_us() - began_us);
    }
    if (!playback->is_seeking) {
        playback->shown_tick = playback->tick;
    }
    server->frame.events = playback->roster_events;
    server->frame.event_count = playback->roster_event_count;
}
