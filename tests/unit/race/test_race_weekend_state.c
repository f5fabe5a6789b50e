// The state that only events with sessions have: saved, restored and hashed, and not believed.
#include "test_race_weekend.h"

#include "race/race_validator.h"
#include "race/state_walk.h"
#include "support/base/check_main.h"

static apex_player_id ada, bob;
static uint8_t *bytes;
static size_t length;

// In qualifying, after a practice with results: two drive, a third has left with a lap.
static void begin_saved(void) {
    apex_race_def def = weekend_def();
    begin_weekend(&def);
    ada = scene_join(race, "ada");
    bob = scene_join(race, "bob");
    apex_player_id eve = scene_join(race, "eve");
    go();
    drive_lap(ada, 8.0);
    drive_lap(ada, 8.0);
    scene_until(race, APEX_PHASE_RESULTS, 40 * 60);
    scene_until(race, APEX_PHASE_RACE, 200);
    drive_lap(eve, 8.0);
    drive_lap(eve, 8.0);
    drive_lap(bob, 8.0);
    drive_lap(bob, 8.0);
    ck_assert_int_eq(scene_command(race, APEX_RACE_LEAVE, eve), APEX_OK);
    apex_race_command extend = {.kind = APEX_RACE_SESSION_EXTEND, .seconds = 7.0};
    ck_assert_int_eq(apex_race_apply(race, &extend), APEX_OK);
    tick();
    length = apex_race_save_bytes(race);
    bytes = malloc(length);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 0xA5, length);
    apex_race_save(race, bytes);
}

static void end_saved(void) {
    free(bytes);
    end();
}

TEST(another_race_goes_on_from_it_alike) {
    begin_saved();
    apex_race_def def = weekend_def();
    apex_race *other = scene_race(&def, track);
    ck_assert_int_eq(apex_race_restore(other, bytes, length), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(other), apex_race_hash(race));
    ck_assert_ptr_null(race_validate(other));
    uint8_t *again = malloc(length);
    ck_assert_ptr_nonnull(again);
    memset(again, 0x5A, length);
    apex_race_save(other, again);
    ck_assert_mem_eq(again, bytes, length);
    free(again);
    apex_session_status a = apex_race_session_of(race), b = apex_race_session_of(other);
    ck_assert_uint_eq(a.index, 1);
    ck_assert_uint_eq(b.index, 1);
    ck_assert_int_eq(a.left_us, b.left_us);
    for (int i = 0; i < 45 * 60; i++) { // over the flag, into the race
        scene_tick(race, NULL);
        scene_tick(other, NULL);
        ck_assert_uint_eq(apex_race_hash(other), apex_race_hash(race));
    }
    ck_assert_uint_eq(apex_race_session_of(other).index, 2);
    // By qualifying, in which she had no time; who has left is in the book and on no grid.
    ck_assert_uint_eq(other->field.players[ada.index1 - 1].grid, 2);
    ck_assert_uint_eq(other->field.players[bob.index1 - 1].grid, 1);
    apex_race_destroy(other);
    end_saved();
}

TEST(every_field_comes_back) {
    begin_saved();
    race_card *card = card_of(bob);
    card->lap = (race_lap_card){.voids = 1,
                                .next_voids = 2,
                                .counted = 3,
                                .best_us = 4,
                                .best_set_us = 5,
                                .line_us = 6,
                                .step_m = 7.5,
                                .trap_mps = 8.5,
                                .in_lane = true,
                                .flagged = true,
                                .resumed = true};
    card->conduct.incidents.points = 9;
    card->is_person = card->watches = true;
    race_weekend *weekend = race->event.weekend;
    weekend->chequered = (race_chequered){10, 11, 12, true, 13};
    weekend->duration_us = 14;
    race_outcome outcome = {15, 14, 16, 17, 18, 19, 20, 21, APEX_RESULT_DISQUALIFIED, true, true};
    race_book_note(&weekend->book, 2, 1, &outcome);
    weekend->book.competitors[1].points = 22;
    race_card kept = *card;
    uint64_t hash = apex_race_hash(race);
    apex_race_save(race, bytes);
    card->lap = (race_lap_card){0};
    card->conduct.incidents.points = 0;
    card->is_person = card->watches = false;
    weekend->chequered = (race_chequered){0};
    weekend->duration_us = 0;
    weekend->book.competitors[1] = (race_competitor){0};
    race_book_note(&weekend->book, 2, 1, &(race_outcome){.place = 1});
    ck_assert_uint_ne(apex_race_hash(race), hash);
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    ck_assert_uint_eq(apex_race_hash(race), hash);
    ck_assert_uint_eq(card->lap.voids + 10 * card->lap.next_voids + 100 * card->lap.counted, 321);
    ck_assert(card->lap.best_us == 4 && card->lap.best_set_us == 5 && card->lap.line_us == 6);
    ck_assert_double_eq_tol(card->lap.step_m, 7.5, 1e-12);
    ck_assert_double_eq_tol(card->lap.trap_mps, 8.5, 1e-12);
    ck_assert(card->lap.in_lane && card->lap.flagged && card->lap.resumed);
    ck_assert_uint_eq(card->conduct.incidents.points, kept.conduct.incidents.points);
    ck_assert(card->is_person && card->watches);
    const race_chequered *flag = &weekend->chequered;
    ck_assert(flag->lead_laps == 10 && flag->lead_us == 11 && flag->target == 12 && flag->out);
    ck_assert(flag->out_us == 13 && weekend->duration_us == 14);
    const race_outcome *back = race_book_outcome(&weekend->book, 2, 1);
    ck_assert(back->place == 15 && back->class_place == 14 && back->laps == 16 &&
              back->best_us == 17);
    ck_assert(back->best_set_us == 18 && back->total_us == 19 && back->penalty_us == 20);
    ck_assert(back->points == 21 && back->status == APEX_RESULT_DISQUALIFIED);
    ck_assert(back->left_pits && back->began_lap);
    ck_assert_uint_eq(weekend->book.competitors[1].points, 22);
    ck_assert_str_eq(weekend->book.competitors[1].name, "bob");
    end_saved();
}

// Values that no race comes to.
TEST(what_cannot_be_is_refused) {
    for (int i = 0; i < 12; i++) {
        begin_saved();
        race_weekend *weekend = race->event.weekend;
        race_card *card = card_of(bob);
        card->competitor1 = i == 0 ? weekend->book.count + 1 : card->competitor1;
        card->lap.voids = i == 1 ? 1u << 10 : card->lap.voids;
        card->lap.counted = i == 2 ? 0 : card->lap.counted;     // with a best lap
        race->field.cards[5].conduct.incidents.points = i == 3; // of a free slot
        weekend->book.count = i == 4 ? weekend->book.capacity + 1 : weekend->book.count;
        weekend->chequered.out_us = i == 5; // and the flag is not out
        weekend->chequered.lead_laps = i == 6 ? APEX_RACE_LAPS_MAX + 1 : 0;
        weekend->duration_us = i == 7 ? UINT64_MAX : weekend->duration_us;
        race->event.race_number = i == 8 ? 0 : race->event.race_number;
        uint32_t boxes = apex_track_pits_of(track).box_count;
        card->pit.box1 = i == 9 ? boxes + 1 : card->pit.box1;
        weekend->book.competitors[0].box1 = i == 10 ? boxes + 1 : weekend->book.competitors[0].box1;
        if (i == 11) { // one that was never given
            card->penalties.count = 1;
            card->penalties.all[0] = (apex_penalty){.number = weekend->penalty_numbers.issued + 1,
                                                    .state = APEX_PENALTY_SERVED,
                                                    .lap = 1};
        }
        uint8_t *bad = malloc(length);
        ck_assert_ptr_nonnull(bad);
        if (i == 4) { // the last of the book's words in the first piece
            memcpy(bad, bytes, length);
            memset(&bad[race_weekend_at(race) + 41 - 4], 0xFF, 4);
            weekend->book.count = 3;
        } else {
            apex_race_save(race, bad);
        }
        ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
        uint64_t hash = apex_race_hash(race);
        ck_assert_msg(apex_race_restore(race, bad, length) == APEX_ERR_CORRUPT, "value %d", i);
        ck_assert_uint_eq(apex_race_hash(race), hash);
        free(bad);
        end_saved();
    }
}

static void expect_invalid(const char *sentence) {
    ck_assert_str_eq(race_validate(race), sentence);
    ck_assert_int_eq(apex_race_restore(race, bytes, length), APEX_OK);
    ck_assert_ptr_null(race_validate(race));
}

TEST(the_validator_knows_them) {
    begin_saved();
    card_of(bob)->competitor1 = race->event.weekend->book.count + 1;
    expect_invalid("a card is of nobody in the book");
    card_of(bob)->lap.counted = 0;
    expect_invalid("a card has a best lap, or laps that count, without the other");
    race->field.kept_cards[0].lap.counted = APEX_RACE_LAPS_MAX + 1;
    expect_invalid("a card counts more laps than there are");
    race->field.cards[5].competitor1 = 1;
    expect_invalid("a free slot has a card");
    race->event.weekend->chequered.out_us = 1;
    expect_invalid("the session's end or the book cannot be");
    const apex_session_def *session = race->field.session;
    race->field.session = NULL;
    ck_assert_str_eq(race_validate(race), "there is a part of a weekend without the rest");
    race->field.session = session;
    race->timing.crossed_count = 1;
    expect_invalid("a crossing was not looked at");
    end_saved();
}

// Any byte of it may be another: what is taken can be raced on.
TEST_OVER(whatever_is_taken_can_be_raced_on, 0, 16) {
    begin_saved();
    size_t from = race_weekend_at(race), to = race_lines_end(race);
    uint8_t *bad = malloc(length);
    ck_assert_ptr_nonnull(bad);
    for (size_t at = from + (size_t)_i; at < to; at += 16 * 7) {
        memcpy(bad, bytes, length);
        bad[at] ^= (uint8_t)(1u << (at / 16 % 8));
        uint64_t hash = apex_race_hash(race);
        if (apex_race_restore(race, bad, length) != APEX_OK) {
            ck_assert_uint_eq(apex_race_hash(race), hash);
            continue;
        }
        for (int i = 0; i < 20; i++) {
            warp(bob, 8.0);
            tick();
            ck_assert_ptr_null(race_validate(race));
        }
    }
    free(bad);
    end_saved();
}

// One race after another, each a session.
TEST(an_event_with_rules_alone_has_one_session) {
    apex_race_def def = scene_race_def(4);
    begin(&def);
    size_t plain = apex_race_save_bytes(race);
    ck_assert_ptr_null(race->field.cards);
    ck_assert_uint_eq(apex_race_session_of(race).count, 0);
    end();
    def.weekend.rules.limits.on = true;
    begin(&def);
    ck_assert_ptr_nonnull(race->field.cards);
    ck_assert_uint_eq(apex_race_session_of(race).count, 1);
    ck_assert_uint_eq(apex_race_session_of(race).def->laps, def.laps);
    ck_assert_uint_gt(apex_race_save_bytes(race), plain);
    ada = scene_join(race, "ada");
    go();
    warp_home(ada);
    ck_assert_int_eq(line_of(ada)->state, APEX_STANDING_FINISHED);
    ck_assert_uint_eq(card_of(ada)->lap.counted, 3);
    ck_assert_ptr_null(race_validate(race));
    end();
}
