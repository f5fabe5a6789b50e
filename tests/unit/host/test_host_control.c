// Penalties on their way to clients: on disk first, before their events, to who comes later, and to
// clients from before, which drop what they do not know and nothing else.

#include "test_host_weekend_scene.h"
#include "host/host_private.h"
#include "replicate/replicate.h"
#include "support/base/check_main.h"
#include "support/host/race_rig.h"
#include "support/proto/before_control.h"

FIXTURE(start, stop)

// As the store's stage queues it when a judge has given one.
static void give(uint32_t number, apex_penalty_kind kind, apex_penalty_state state) {
    host_news *news = &race_rig_server(rig)->news;
    const apex_standing ada = race_rig_standing(rig, "Ada");
    host_untold untold = {
        .event = {.kind = APEX_EVENT_PENALTY, .player = ada.player, .value = number},
        .penalty = {.number = number,
                    .offence = APEX_OFFENCE_JUMP_START,
                    .kind = kind,
                    .state = state,
                    .amount = kind == APEX_PENALTY_TIME ? 5.5 : 0.0,
                    .lap = 1,
                    .due_lap = 4},
    };
    snprintf(untold.name, sizeof untold.name, "Ada");
    const apex_store_player player = {.name = "Ada", .penalty = &untold.penalty};
    untold.record = apex_store_event(news->store, &untold.event, &player, 1);
    ck_assert_uint_ne(untold.record, 0);
    news->newest_record = untold.record;
    news->untold[news->untold_next++ % news->untold_capacity] = untold;
}

static const apex_penalty_message *penalties_of(size_t client, size_t *count) {
    return apex_client_penalties(race_rig_client(rig, client), count);
}

// @return the events of penalties that came within so many ticks; each is looked up as it comes
static uint32_t penalties_heard(size_t client, uint32_t ticks) {
    uint32_t heard = 0;
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        size_t count, known;
        const apex_race_event_message *events =
            apex_client_events(race_rig_client(rig, client), &count);
        const apex_penalty_message *penalties = penalties_of(client, &known);
        for (size_t k = 0; k < count; k++) {
            if (events[k].kind == APEX_WIRE_EVENT_PENALTY) {
                ck_assert_uint_gt(known, 0);
                ck_assert_int_eq(events[k].value, penalties[known - 1].number);
                heard++;
            }
        }
    }
    return heard;
}

TEST(a_penalty_waits_for_the_disk) {
    size_t count;
    race_rig_hold_disk(rig, true);
    give(1, APEX_PENALTY_TIME, APEX_PENALTY_OPEN);
    ck_assert_uint_eq(penalties_heard(watcher, 30), 0);
    (void)penalties_of(watcher, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(host_told_penalties(race_rig_server(rig))->count, 0);
    race_rig_hold_disk(rig, false);
    ck_assert_uint_eq(penalties_heard(watcher, 10), 1);
    const apex_penalty_message *told = penalties_of(watcher, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(told->number, 1);
    ck_assert_str_eq(told->name, "Ada");
    ck_assert_uint_eq(told->player, apex_client_player(race_rig_client(rig, driver)));
    ck_assert_uint_eq(told->offence, APEX_WIRE_OFFENCE_JUMP_START);
    ck_assert_uint_eq(told->kind, APEX_WIRE_PENALTY_TIME);
    ck_assert_uint_eq(told->time_ms, 5500);
    ck_assert_uint_eq(told->places, 0);
    ck_assert_uint_eq(told->due_lap, 4);
}

TEST(a_change_takes_the_place_of_what_was) {
    size_t count;
    give(1, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN);
    give(2, APEX_PENALTY_TIME, APEX_PENALTY_OPEN);
    race_rig_tick(rig, 5);
    give(1, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_SERVED);
    race_rig_tick(rig, 5);
    const apex_penalty_message *told = penalties_of(driver, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(told[0].number, 1);
    ck_assert_uint_eq(told[0].state, APEX_WIRE_PENALTY_STATE_SERVED);
    ck_assert_uint_eq(told[1].state, APEX_WIRE_PENALTY_STATE_OPEN);
}

TEST(who_comes_late_knows_them_until_the_next_session) {
    size_t count;
    give(1, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN);
    race_rig_tick(rig, 5);
    apex_client_def def = apex_default_client_def();
    def.spectate = true;
    size_t late = race_rig_connect(rig, &def);
    race_rig_tick(rig, 10);
    (void)penalties_of(late, &count);
    ck_assert_uint_eq(count, 1);
    console("status");
    ck_assert_ptr_nonnull(strstr(answer, "drive-through for jump-start, lap 1, open"));
    assert_answer("session skip", "on to the next session");
    race_rig_tick(rig, 5);
    (void)penalties_of(late, &count);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(host_told_penalties(race_rig_server(rig))->count, 0);
}

TEST(the_oldest_of_too_many_makes_room) {
    static host_penalties kept;
    apex_penalty_message penalty = {.number = 0};
    for (penalty.number = 1; penalty.number <= APEX_PENALTIES_LINES_MAX; penalty.number++) {
        host_penalties_note(&kept, &penalty);
    }
    ck_assert_uint_eq(kept.count, APEX_PENALTIES_LINES_MAX);
    ck_assert_uint_eq(kept.all[0].number, 1);
    host_penalties_note(&kept, &penalty);
    ck_assert_uint_eq(kept.count, APEX_PENALTIES_LINES_MAX);
    ck_assert_uint_eq(kept.all[0].number, 2);
    ck_assert_uint_eq(kept.all[kept.count - 1].number, APEX_PENALTIES_LINES_MAX + 1);
    penalty.number = 2;
    penalty.lap = 7;
    host_penalties_note(&kept, &penalty);
    ck_assert_uint_eq(kept.count, APEX_PENALTIES_LINES_MAX);
    ck_assert_uint_eq(kept.all[0].lap, 7);
}

typedef struct before_tally {
    uint32_t taken, events_dropped, kinds_dropped, wrong;
} before_tally;

static void read_as_before(before_tally *tally, uint32_t ticks) {
    for (uint32_t i = 0; i < ticks; i++) {
        race_rig_tick(rig, 1);
        const apex_link_packet *packets;
        size_t count = apex_server_outbox(race_rig_server(rig), &packets);
        for (size_t k = 0; k < count; k++) {
            before_verdict verdict = before_control_reads(packets[k].bytes, packets[k].length);
            tally->taken += verdict == BEFORE_TAKES;
            tally->events_dropped += verdict == BEFORE_DROPS_EVENT;
            tally->kinds_dropped += verdict == BEFORE_DROPS_KIND;
            tally->wrong += verdict == BEFORE_DROPS_MESSAGE;
        }
    }
}

// From Hello to the results of the race, with a driver, a watcher and one who comes late, to whom
// the past is told.
TEST(a_client_from_before_misses_nothing_that_it_knew) {
    before_tally tally = {0};
    give(1, APEX_PENALTY_DRIVE_THROUGH, APEX_PENALTY_OPEN);
    read_as_before(&tally, 5);
    apex_client_def def = apex_default_client_def();
    def.standings = def.sectors = true;
    def.name = "Bob";
    race_rig_pilot(rig, race_rig_connect(rig, &def));
    read_as_before(&tally, 30);
    assert_answer("session skip", "on to the next session");
    read_as_before(&tally, 120 * SECOND);
    ck_assert_uint_eq(tally.wrong, 0);
    ck_assert_uint_gt(tally.events_dropped, 3);
    ck_assert_uint_gt(tally.kinds_dropped, 100);
    ck_assert_uint_gt(tally.taken, 20 * tally.kinds_dropped);
    ck_assert_ptr_nonnull(apex_client_results(race_rig_client(rig, watcher)));
}
