// A recording played to clients: they are told at each tick what the race was, whatever they ask
// for and whenever they come.
#include "test_playback_cinema.h"

#include <math.h>

static cinema hall;

static uint32_t tape_count(apex_race_event_kind kind) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < tape.event_count; i++) {
        count += tape.events[i].kind == kind;
    }
    return count;
}

static uint32_t tape_tick_of_phase(apex_race_phase phase) {
    for (uint32_t tick = 0; tick <= tape.ticks; tick++) {
        if (tape.phases[tick] == phase) {
            return tick;
        }
    }
    ck_abort_msg("the race was never in phase %d", (int)phase);
}

TEST(it_is_told_like_the_race_that_it_was) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    cinema_run(&hall, 600);
    ck_assert_uint_ge(cinema_tick(&hall), 620); // from when the watcher was let in
    ck_assert_uint_gt(who->compared, 150 * TAPE_BOTS);
    ck_assert_int_eq(apex_client_race_state(who->client)->phase, tape.phases[cinema_tick(&hall)]);
    size_t count = 0;
    const apex_roster_entry *roster = apex_client_roster(who->client, &count);
    ck_assert_uint_eq(count, TAPE_BOTS);
    ck_assert_str_eq(roster[0].name, "Bot 1");
    ck_assert(roster[0].driven_by_server);
    ck_assert_uint_eq(apex_client_standings(who->client)->line_count, TAPE_BOTS);
    ck_assert_str_eq(apex_client_welcome(who->client)->race, "taped");
    ck_assert_uint_eq(who->jumps, 0);
    cinema_close(&hall);
    tape_drop();
}

TEST(events_and_results_come_at_any_speed) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_ON, 16000);
    cinema_run(&hall, tape.ticks / 16 + 40);
    ck_assert_uint_eq(cinema_tick(&hall), tape.ticks);
    ck_assert_uint_eq(who->events_told[APEX_EVENT_FINISHED], TAPE_BOTS);
    ck_assert_uint_eq(who->events_told[APEX_EVENT_LAP], tape_count(APEX_EVENT_LAP));
    ck_assert_uint_eq(who->events_told[APEX_EVENT_CONTACT], tape_count(APEX_EVENT_CONTACT));
    ck_assert_uint_eq(who->events_told[APEX_EVENT_SECTOR], tape_count(APEX_EVENT_SECTOR));
    const apex_results *results = apex_client_results(who->client);
    ck_assert_ptr_nonnull(results);
    ck_assert_uint_eq(results->line_count, tape.result_count);
    for (uint32_t i = 0; i < results->line_count; i++) {
        ck_assert_str_eq(results->lines[i].name, tape.results[i].name);
        ck_assert_uint_eq(results->lines[i].total_us, tape.results[i].total_us);
        ck_assert_uint_eq(results->lines[i].best_lap_us, tape.results[i].best_lap_us);
    }
    // Sixteen ticks a round, and not a snapshot more than at any other speed.
    ck_assert_uint_le(who->snapshots, (tape.ticks / 16 + 70) / 3 + 4);
    ck_assert_uint_lt(who->snapshot_bytes, who->snapshots * 32 * TAPE_BOTS);
    // The event was over, and nobody was sent away.
    ck_assert_int_eq(apex_client_state_of(who->client), APEX_CLIENT_SPECTATING);
    ck_assert(!apex_server_finished(apex_playback_server(hall.playback)));
    cinema_close(&hall);
    tape_drop();
}

TEST(ticks_come_at_the_speed_that_was_asked_for) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    static const struct {
        uint32_t speed_permille, rounds, ticks;
    } cases[] = {{4000, 60, 240}, {250, 80, 20}, {125, 80, 10}, {1500, 60, 90}, {1000, 60, 60}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        watcher_play(who, APEX_PLAY_KEEP, cases[i].speed_permille);
        cinema_run(&hall, 1);
        uint64_t before = cinema_tick(&hall);
        cinema_run(&hall, cases[i].rounds);
        ck_assert_uint_eq(cinema_tick(&hall) - before, cases[i].ticks);
        ck_assert_uint_eq(apex_client_playback(who->client)->speed_permille,
                          cases[i].speed_permille);
        double told = apex_client_server_tick(who->client, hall.now_us - ROUND_US);
        double most = 2.0 + 2.0 * cases[i].speed_permille / 1000.0;
        ck_assert_double_lt(fabs(told - (double)cinema_tick(&hall)), most);
    }
    cinema_close(&hall);
    tape_drop();
}

TEST(it_pauses_and_who_comes_then_sees_it_all_the_same) {
    tape_record();
    cinema_open(&hall);
    watcher *first = cinema_begin(&hall);
    cinema_run(&hall, 200);
    watcher_play(first, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 2);
    uint64_t tick = cinema_tick(&hall);
    cinema_run(&hall, 120);
    ck_assert_uint_eq(cinema_tick(&hall), tick);
    ck_assert(!apex_client_playback(first->client)->playing);
    ck_assert_uint_eq(apex_client_newest(first->client).tick, tick);
    ck_assert_double_lt(fabs(apex_client_server_tick(first->client, hall.now_us) - (double)tick),
                        1.0);
    // A tick that nobody adds to is not sent twenty times a second.
    uint32_t sent = first->snapshots;
    cinema_run(&hall, 120);
    ck_assert_uint_le(first->snapshots - sent, 4);
    apex_client_def def = watcher_def();
    watcher *late = cinema_enter(&hall, &def);
    cinema_run(&hall, 40);
    ck_assert_int_eq(apex_client_state_of(late->client), APEX_CLIENT_SPECTATING);
    ck_assert_uint_eq(apex_client_newest(late->client).tick, tick);
    ck_assert_uint_eq(apex_client_newest(late->client).car_count, TAPE_BOTS);
    ck_assert_ptr_nonnull(apex_client_race_state(late->client));
    ck_assert_ptr_nonnull(apex_client_playback(late->client));
    watcher_play(late, APEX_PLAY_ON, 0);
    cinema_run(&hall, 62);
    ck_assert_uint_ge(cinema_tick(&hall), tick + 60);
    ck_assert(apex_client_playback(first->client)->playing);
    cinema_close(&hall);
    tape_drop();
}

// Runs until it is where it is to be, and a snapshot of there has come. @return rounds.
static uint32_t await_tick(watcher *who, uint32_t tick) {
    uint32_t rounds = 0;
    do {
        cinema_run(&hall, 1);
        ck_assert_uint_lt(++rounds, 200);
    } while (cinema_state(&hall).seeking || apex_client_newest(who->client).tick != tick ||
             client_session_of(who->client)->jumped);
    ck_assert_uint_eq(cinema_tick(&hall), tick);
    return rounds;
}

TEST(it_goes_wherever_it_is_asked_to) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 5);
    uint64_t random = 11;
    for (uint32_t i = 0; i < 40; i++) {
        static const uint32_t firsts[] = {0, 1, 599, 600, 601, 1200, 1199, UINT32_MAX - 1, 0};
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t asked = i < sizeof firsts / sizeof firsts[0]
                             ? firsts[i]
                             : (uint32_t)(random >> 33) % (tape.ticks + 1);
        uint32_t tick = asked < tape.ticks ? asked : tape.ticks;
        uint32_t epoch = who->epoch;
        uint64_t compared = who->compared;
        watcher_seek(who, asked);
        await_tick(who, tick);
        ck_assert_uint_eq(who->epoch, epoch + 1);
        ck_assert_uint_eq(apex_client_playback(who->client)->tick, tick);
        ck_assert_int_eq(apex_client_race_state(who->client)->phase, tape.phases[tick]);
        // Bots have joined with the first tick.
        size_t players = tick > 0 ? TAPE_BOTS : 0, count = 0;
        (void)apex_client_roster(who->client, &count);
        ck_assert_uint_eq(count, players);
        ck_assert_uint_eq(who->compared - compared, players);
        bool has_results = tape.phases[tick] >= APEX_PHASE_RESULTS;
        ck_assert_int_eq(apex_client_results(who->client) != NULL, has_results);
    }
    cinema_close(&hall);
    tape_drop();
}

TEST(it_plays_on_from_there) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    static const uint32_t ticks[] = {1000, 200, 1500, 590, 1190};
    for (size_t i = 0; i < sizeof ticks / sizeof ticks[0]; i++) {
        watcher_seek(who, ticks[i]);
        cinema_run(&hall, 100);
        ck_assert_uint_ge(cinema_tick(&hall), ticks[i] + 70);
        ck_assert_uint_le(cinema_tick(&hall), ticks[i] + 100);
        double told = apex_client_server_tick(who->client, hall.now_us - ROUND_US);
        ck_assert_double_lt(fabs(told - (double)cinema_tick(&hall)), 3.0);
    }
    ck_assert_uint_eq(who->jumps, 5);
    ck_assert_uint_eq(apex_client_stats_of(who->client).undecodable, 0);
    cinema_close(&hall);
    tape_drop();
}

// By which each tick of the race took so many microseconds.
static uint64_t race_tick_us, clock_stands_us;

static uint64_t clock_us(void) {
    clock_stands_us += race_tick_us * hall.playback->cost.made;
    return clock_stands_us;
}

static void measure_by(uint64_t (*clock)(void), uint64_t tick_us) {
    race_tick_us = tick_us;
    apex_playback_server(hall.playback)->clock.clock_us = clock;
}

// Of what is asked for while it is on its way only the newest counts, and one tick of the server
// makes no more ticks of the race than there is time for.
TEST(seeking_takes_its_time_in_pieces) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 5);
    measure_by(clock_us, 1000);
    for (int i = 0; i < 200 && hall.playback->scout.reader != NULL; i++) {
        cinema_run(&hall, 1);
    }
    measure_by(NULL, 0);
    uint32_t room = playback_ticks_in(&hall.playback->cost, 8000.0);
    ck_assert(room >= 6 && room <= 10);
    uint32_t epoch = who->epoch, snapshots = who->snapshots;
    watcher_seek(who, 1100);
    cinema_run(&hall, 4);
    ck_assert(apex_client_playback(who->client)->seeking);
    ck_assert_uint_eq(apex_client_playback(who->client)->tick, 1100);
    ck_assert_uint_eq(who->snapshots, snapshots); // of a race that is nowhere there is nothing
    watcher_seek(who, 300);
    cinema_run(&hall, 2);
    watcher_seek(who, 700);
    uint32_t rounds = await_tick(who, 700);
    ck_assert_uint_ge(rounds, 100 / room);
    ck_assert_uint_le(rounds, 100 / room + 8);
    ck_assert_uint_eq(who->epoch, epoch + 1);
    cinema_close(&hall);
    tape_drop();
}

// Back by a frame, again and again, as a viewer who holds the key down does: from the last still,
// and not from the last keyframe; and it is the same race.
TEST(a_frame_back_is_near) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 200); // until all marks are gathered, which makes ticks, too
    watcher_seek(who, 1195);
    await_tick(who, 1195);
    uint32_t most = 0;
    for (uint32_t tick = 1194; tick >= 1135; tick--) {
        watcher_seek(who, tick);
        cinema_run(&hall, 1);
        uint32_t made = hall.playback->cost.made;
        cinema_run(&hall, 8);
        ck_assert_uint_eq(cinema_tick(&hall), tick);
        ck_assert_uint_eq(apex_client_newest(who->client).tick, tick);
        most = made > most ? made : most;
    }
    ck_assert_uint_le(most, 60);
    // Forth again, past stills that lie ahead: to the tick, whatever was passed by.
    watcher_seek(who, 610);
    await_tick(who, 610);
    watcher_seek(who, 1190);
    cinema_run(&hall, 1);
    ck_assert_uint_le(hall.playback->cost.made, 60);
    await_tick(who, 1190);
    watcher_play(who, APEX_PLAY_ON, 4000);
    cinema_run(&hall, 60);
    ck_assert_uint_ge(cinema_tick(&hall), 1400);
    cinema_close(&hall);
    tape_drop();
}

// More than the machine can do is not promised.
TEST(who_asks_for_too_much_is_told_what_there_is) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    measure_by(clock_us, 2000);
    cinema_run(&hall, 100);
    measure_by(NULL, 0);
    watcher_play(who, APEX_PLAY_ON, 16000);
    cinema_run(&hall, 3);
    uint64_t before = cinema_tick(&hall);
    uint32_t speed_permille = apex_client_playback(who->client)->speed_permille;
    ck_assert(speed_permille == 3000 || speed_permille == 4000);
    cinema_run(&hall, 10);
    ck_assert_uint_eq(cinema_tick(&hall) - before, 10 * speed_permille / 1000);
    cinema_close(&hall);
    tape_drop();
}

TEST(at_its_end_it_stops_and_begins_again) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_seek(who, tape.ticks - 30);
    cinema_run(&hall, 100);
    ck_assert_uint_eq(cinema_tick(&hall), tape.ticks);
    ck_assert(!apex_client_playback(who->client)->playing);
    ck_assert_uint_eq(apex_client_newest(who->client).tick, tape.ticks);
    ck_assert_uint_eq(apex_client_playback(who->client)->last_tick, tape.ticks);
    watcher_play(who, APEX_PLAY_ON, 0);
    cinema_run(&hall, 40);
    ck_assert_uint_ge(cinema_tick(&hall), 30);
    ck_assert_uint_le(cinema_tick(&hall), 40);
    ck_assert_ptr_null(apex_client_results(who->client));
    ck_assert_uint_eq(who->notices, 0);
    cinema_close(&hall);
    tape_drop();
}

TEST(nobody_drives_in_it_or_commands_it) {
    tape_record();
    cinema_open(&hall);
    (void)cinema_begin(&hall);
    apex_client_def def = watcher_def();
    def.spectate = false;
    watcher *driver = cinema_enter(&hall, &def);
    cinema_run(&hall, 60);
    const char *text = "";
    ck_assert_int_eq(apex_client_last_reject(driver->client, &text), APEX_REASON_RACE_CLOSED);
    ck_assert_str_eq(text, "this is a recording: it can be watched, not driven in");
    apex_race_command command = {.kind = APEX_RACE_RESTART};
    ck_assert_int_eq(host_apply(&apex_playback_server(hall.playback)->simulation, &command),
                     APEX_ERR_STATE);
    cinema_run(&hall, 10); // which still compares each tick
    apex_server_stop(apex_playback_server(hall.playback), APEX_REASON_SHUTDOWN, "the lights go on");
    cinema_run(&hall, 200);
    ck_assert_int_eq(apex_client_state_of(hall.watchers[0].client), APEX_CLIENT_CLOSED);
    ck_assert(apex_server_finished(apex_playback_server(hall.playback)));
    cinema_close(&hall);
    tape_drop();
}

TEST(it_waits_for_the_first_who_watches) {
    tape_record();
    cinema_open(&hall);
    cinema_run(&hall, 100);
    ck_assert_uint_eq(cinema_tick(&hall), 0);
    (void)cinema_begin(&hall);
    ck_assert_uint_ge(cinema_tick(&hall), 20);
    ck_assert_uint_le(cinema_tick(&hall), 30);
    cinema_close(&hall);
    tape_drop();
}

TEST(marks_say_what_happened_when) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_PAUSE, 0);
    cinema_run(&hall, 200);
    ck_assert_ptr_null(hall.playback->scout.race); // its memory is given back
    const apex_playback_state *state = apex_client_playback(who->client);
    uint32_t kinds[APEX_EVENT_KINDS] = {0}, before = 0, go = 0, results = 0;
    for (uint32_t i = 0; i < state->mark_count; i++) {
        const apex_playback_mark *mark = &state->marks[i];
        ck_assert_uint_ge(mark->tick, before);
        before = mark->tick;
        kinds[mark->kind]++;
        go = mark->kind == APEX_EVENT_LIGHTS ? mark->tick : go;
        results = mark->kind == APEX_EVENT_PHASE ? mark->tick : results;
    }
    ck_assert_uint_eq(kinds[APEX_EVENT_LIGHTS], 1);
    ck_assert_uint_eq(kinds[APEX_EVENT_FINISHED], TAPE_BOTS);
    ck_assert_uint_eq(kinds[APEX_EVENT_BEST_LAP], tape_count(APEX_EVENT_BEST_LAP));
    ck_assert_uint_eq(go, tape_tick_of_phase(APEX_PHASE_RACE));
    ck_assert_uint_eq(results, tape_tick_of_phase(APEX_PHASE_RESULTS));
    // A viewer who comes later is told them, too.
    apex_client_def def = watcher_def();
    watcher *late = cinema_enter(&hall, &def);
    cinema_run(&hall, 30);
    ck_assert_uint_eq(apex_client_playback(late->client)->mark_count, state->mark_count);
    cinema_close(&hall);
    tape_drop();
}

static void run_until_owed(uint32_t owed_permille) {
    for (uint32_t rounds = 0; hall.playback->owed_permille != owed_permille; rounds++) {
        ck_assert_uint_lt(rounds, 8);
        cinema_run(&hall, 1);
    }
}

// At a quarter of its speed a tick is due each fourth round. Three quarters that were owed where it
// was are not owed where it goes.
TEST(nothing_is_owed_after_a_jump) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_KEEP, 250);
    cinema_run(&hall, 1);
    run_until_owed(750);
    uint32_t epoch = hall.playback->epoch;
    watcher_seek(who, 100);
    for (uint32_t rounds = 0; hall.playback->epoch == epoch; rounds++) {
        ck_assert_uint_lt(rounds, 200);
        cinema_run(&hall, 1);
    }
    ck_assert_uint_eq(cinema_tick(&hall), 100);
    cinema_run(&hall, 3);
    ck_assert_uint_eq(cinema_tick(&hall), 100);
    cinema_run(&hall, 1);
    ck_assert_uint_eq(cinema_tick(&hall), 101);
    cinema_close(&hall);
    tape_drop();
}

// Seven eighths are not lost with the change of speed, nor are they counted twice.
TEST(what_is_owed_is_kept_over_a_change_of_speed) {
    tape_record();
    cinema_open(&hall);
    watcher *who = cinema_begin(&hall);
    watcher_play(who, APEX_PLAY_KEEP, 125);
    cinema_run(&hall, 1);
    run_until_owed(875);
    uint64_t before = cinema_tick(&hall);
    watcher_play(who, APEX_PLAY_KEEP, 1500);
    cinema_run(&hall, 1); // 2.375
    ck_assert_uint_eq(cinema_tick(&hall) - before, 2);
    ck_assert_uint_eq(hall.playback->owed_permille, 375);
    cinema_run(&hall, 1); // 1.875
    ck_assert_uint_eq(cinema_tick(&hall) - before, 3);
    cinema_run(&hall, 1); // 2.375
    ck_assert_uint_eq(cinema_tick(&hall) - before, 5);
    cinema_close(&hall);
    tape_drop();
}
