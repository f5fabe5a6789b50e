// The race's validator: whether the parts of a race agree with each other. It walks everything, so
// only builds with validators call it (base/assert.h), at the end of each tick. It asks for nothing
// that a restore does not: saved bytes of anybody's making are refused there and not asserted here.
#include "race/race_validator.h"

#include "race/event/phase.h"
#include "race/field/kept.h"
#include "race/timing/lap.h"
#include "race/timing/order.h"

static bool is_same_player(apex_player_id a, apex_player_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

static bool is_same_car(apex_car_id a, apex_car_id b) {
    return a.index1 == b.index1 && a.generation == b.generation;
}

// Slots that somebody has are the pool's, and listed from low to high.
static const char *check_slots(const race_field *field) {
    uint32_t live = 0;
    for (uint32_t slot = 0; slot < field->capacity; slot++) {
        const race_player *player = &field->players[slot];
        if (!race_field_is_live(field, slot)) {
            if (player->id.index1 != 0 || player->car_id.index1 != 0) {
                return "a free slot has an owner";
            }
            continue;
        }
        if (!is_same_player(
                player->id,
                (apex_player_id){(uint16_t)(slot + 1), (uint16_t)field->pool.generations[slot]})) {
            return "a player's id is not that of his slot";
        }
        if (live >= field->pool.live_count || field->live[live] != slot) {
            return "the list of live slots is not that of the pool";
        }
        live++;
    }
    if (live != field->pool.live_count) {
        return "the pool counts slots that nobody has";
    }
    return field->pool.lowest_free == field->capacity ||
                   !race_field_is_live(field, field->pool.lowest_free)
               ? NULL
               : "the next slot to be taken is not free";
}

// A player has one car of the world, and that car has him.
static const char *check_cars(const race_field *field) {
    uint32_t cars = 0;
    for (uint32_t place = 0; place < field->capacity; place++) {
        cars += field->poses[place].id.index1 != 0;
    }
    if (cars != field->pool.live_count) {
        return "there are not as many cars as players";
    }
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        uint32_t slot = field->live[i];
        const race_player *player = &field->players[slot];
        uint32_t place = player->car_id.index1 - 1u;
        if (player->car >= field->car_count) {
            return "a player's kind of car is none";
        }
        if (place >= field->car_end || !apex_world_has_car(field->world, player->car_id)) {
            return "a player has no car";
        }
        if (field->slot_of_car[place] != slot) {
            return "a car belongs to another player than the one who has it";
        }
        if (!is_same_car(field->poses[place].id, player->car_id)) {
            return "a pose is of another car";
        }
    }
    return NULL;
}

// An entry is there once if it is where its rank says.
static const char *check_order(const race_timing *timing, const race_field *field) {
    if (timing->order_count != field->pool.live_count + field->kept_started) {
        return "the order does not have a line for everybody";
    }
    for (uint32_t i = 0; i < timing->order_count; i++) {
        uint32_t entry = timing->order[i];
        if (entry >= 2 * field->capacity || !race_kept_is_entry(field, entry)) {
            return "the order has a line of nobody";
        }
        if (timing->rank[entry] != i) {
            return "a line of the order is not at its rank";
        }
    }
    return race_order_is_sorted(timing, field) ? NULL : "the order is not sorted";
}

static const char *check_along(const race_field *field) {
    if (field->along_count != field->pool.live_count) {
        return "not everybody is in the order along the lap";
    }
    for (uint32_t i = 0; i < field->along_count; i++) {
        uint32_t slot = field->along[i];
        if (!race_field_is_live(field, slot)) {
            return "the order along the lap has a slot of nobody";
        }
        if (field->rank_along[slot] != i) {
            return "a slot is not at its rank along the lap";
        }
    }
    return NULL;
}

static const char *check_gates(const race_timing *timing) {
    if (timing->gate_count < 1 || timing->gate_count > RACE_GATES_MAX + 1) {
        return "there are too few gates, or too many";
    }
    for (uint32_t i = 0; i < timing->gate_count; i++) {
        const race_gate *gate = &timing->gates[i];
        if (i > 0 && gate->s_m <= gate[-1].s_m) {
            return "the gates do not rise along the lap";
        }
        if (gate->sector >= APEX_TRACK_SECTORS_MAX && gate->sector != RACE_GATE_NO_SECTOR) {
            return "a gate ends a sector that there is not";
        }
    }
    return NULL;
}

static const char *check_line(const apex_race *race, const race_player *line) {
    if (!race_lap_counts_ok(&race->timing, &race->field, line)) {
        return "a player's laps and sectors are not those of his gates";
    }
    if (line->lap.lap_from_us > line->lap.sector_us || line->lap.sector_us > line->lap.gate_us) {
        return "a player's lap, sector and gate do not begin in this order";
    }
    if (line->lap.finish_rank > race->timing.records.finished) {
        return "a player is home behind more than are home";
    }
    return line->started || line->state != APEX_STANDING_FINISHED
               ? NULL
               : "a player has finished who has not started";
}

static const char *check_lines(const apex_race *race) {
    const race_field *field = &race->field;
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        const race_player *player = &field->players[field->live[i]];
        if (!race_phase_allows(race->event.phase, player->state)) {
            return "a player's state is none of this phase";
        }
        const char *sentence = check_line(race, player);
        if (sentence != NULL) {
            return sentence;
        }
    }
    if (field->counts.kept > field->capacity || field->kept_started > field->counts.kept) {
        return "more lines are kept than there is room for";
    }
    for (uint32_t i = 0; i < field->counts.kept; i++) {
        const race_player *line = &field->kept[i];
        if (line->car_id.index1 != 0 || line->state == APEX_STANDING_RUNNING) {
            return "a player who has left still drives";
        }
        const char *sentence = check_line(race, line);
        if (sentence != NULL) {
            return sentence;
        }
    }
    return NULL;
}

static const char *check_card(const race_card *card, uint32_t names) {
    if (card->competitor1 > names) {
        return "a card is of nobody in the book";
    }
    if (card->lap.counted > APEX_RACE_LAPS_MAX) {
        return "a card counts more laps than there are";
    }
    return (card->lap.best_us == 0) == (card->lap.counted == 0)
               ? NULL
               : "a card has a best lap, or laps that count, without the other";
}

// The state that only events with sessions or rules have.
static const char *check_weekend(const apex_race *race) {
    const race_field *field = &race->field;
    const race_weekend *weekend = race->event.weekend;
    if ((weekend != NULL) != (field->session != NULL) ||
        (weekend != NULL && field->cards == NULL)) {
        return "there is a part of a weekend without the rest";
    }
    if (weekend != NULL && (weekend->book.count > weekend->book.capacity ||
                            weekend->chequered.lead_laps > APEX_RACE_LAPS_MAX ||
                            (!weekend->chequered.out && weekend->chequered.out_us != 0))) {
        return "the session's end or the book cannot be";
    }
    uint32_t names = weekend != NULL ? weekend->book.count : 0;
    for (uint32_t i = 0; field->cards != NULL && i < field->capacity; i++) {
        if (!race_field_is_live(field, i) && field->cards[i].competitor1 != 0) {
            return "a free slot has a card";
        }
        const char *sentence = check_card(&field->cards[i], names);
        if (sentence == NULL && i < field->counts.kept) {
            sentence = check_card(&field->kept_cards[i], names);
        }
        if (sentence != NULL) {
            return sentence;
        }
    }
    return race->timing.crossed_count == 0 ? NULL : "a crossing was not looked at";
}

static const char *check_event(const apex_race *race) {
    uint64_t now = apex_world_tick(race->field.world);
    if ((uint32_t)race->event.phase > APEX_PHASE_OVER) {
        return "the phase is none";
    }
    if (race->event.phase_tick > now || race->event.lobby_tick > now) {
        return "the phase begins in the future";
    }
    if (race->timing.records.go_tick > now) {
        return "the lights go out in the future";
    }
    return race->log.count <= race->log.capacity && race->log.race_number == race->event.race_number
               ? NULL
               : "the list of events is another race's";
}

// A start, a restart and a restore begin anew, and so does a slot with its next player. Outside of
// a race nothing is compared: an operator may restart one and close the event within a tick.
static const char *check_fallen(const apex_race *race, const race_seen seen[]) {
    const race_field *field = &race->field;
    apex_race_phase phase = race->event.phase;
    if (phase != APEX_PHASE_RACE && phase != APEX_PHASE_FINISH && phase != APEX_PHASE_RESULTS) {
        return NULL;
    }
    for (uint32_t i = 0; i < field->pool.live_count; i++) {
        const race_player *player = &field->players[field->live[i]];
        const race_seen *before = &seen[field->live[i]];
        if (!is_same_player(before->id, player->id) ||
            before->go_tick != race->timing.records.go_tick) {
            continue;
        }
        if (player->lap.laps < before->laps) {
            return "a player's laps have fallen";
        }
        if (player->lap.gates_passed < before->gates_passed) {
            return "a player's gates have fallen";
        }
    }
    return NULL;
}

const char *race_validate(const apex_race *race) {
    const char *sentence = check_event(race);
    sentence = sentence != NULL ? sentence : check_slots(&race->field);
    sentence = sentence != NULL ? sentence : check_weekend(race);
    sentence = sentence != NULL ? sentence : check_cars(&race->field);
    sentence = sentence != NULL ? sentence : check_gates(&race->timing);
    sentence = sentence != NULL ? sentence : check_lines(race);
    sentence = sentence != NULL ? sentence : check_order(&race->timing, &race->field);
    return sentence != NULL ? sentence : check_along(&race->field);
}

const char *race_validate_tick(const apex_race *race, const race_seen seen[]) {
    const char *sentence = race_validate(race);
    return sentence != NULL ? sentence : check_fallen(race, seen);
}

void race_note_seen(const apex_race *race, race_seen seen[]) {
    for (uint32_t slot = 0; slot < race->field.capacity; slot++) {
        const race_player *player = &race->field.players[slot];
        seen[slot] = (race_seen){
            .id = player->id,
            .laps = player->lap.laps,
            .gates_passed = player->lap.gates_passed,
            .go_tick = race->timing.records.go_tick,
        };
    }
}
