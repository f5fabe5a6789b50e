// The walk over the state that only events with sessions or rules have.
#include "race/weekend_walk.h"

#include "race/event/race_session.h"

#include "base/assert.h"

#include <string.h>

// Far beyond any session, and far from where sums of times wrap round.
static const uint64_t US_MAX = UINT64_C(1) << 60;

static void walk_rows(race_walk *io, race_lap_card *lap) {
    race_walk_choice(io, &lap->row_count, RACE_LAP_ROWS);
    for (uint32_t i = 0; i < RACE_LAP_ROWS; i++) {
        race_walk_u32(io, &lap->row_laps[i]);
        race_walk_u64(io, &lap->rows[i].time_us);
        race_walk_u64(io, &lap->rows[i].set_us);
        race_walk_u32(io, &lap->rows[i].voids);
    }
}

static void walk_lap(race_walk *io, race_lap_card *lap) {
    race_walk_u32(io, &lap->voids);
    race_walk_u32(io, &lap->next_voids);
    race_walk_u32(io, &lap->counted);
    race_walk_u64(io, &lap->best_us);
    race_walk_u64(io, &lap->best_set_us);
    race_walk_u64(io, &lap->line_us);
    race_walk_double(io, &lap->step_m);
    race_walk_double(io, &lap->trap_mps);
    race_walk_bool(io, &lap->in_lane);
    race_walk_bool(io, &lap->flagged);
    race_walk_bool(io, &lap->resumed);
    walk_rows(io, lap);
    uint32_t known = 2 * APEX_VOID_DELETED - 1;
    io->ok = io->ok && (lap->voids | lap->next_voids) <= known &&
             (lap->best_us == 0) == (lap->counted == 0) && lap->counted <= APEX_RACE_LAPS_MAX &&
             lap->trap_mps >= 0.0;
}

static void walk_card(race_walk *io, race_card *card) {
    race_walk_u32(io, &card->competitor1);
    walk_lap(io, &card->lap);
    race_penalties_walk(io, &card->penalties);
    race_pit_walk(io, &card->pit);
    race_conduct_walk(io, &card->conduct);
    race_walk_u32(io, &card->class1);
    race_walk_u32(io, &card->number);
    race_walk_u32(io, &card->grid);
    race_walk_bool(io, &card->is_person);
    race_walk_bool(io, &card->watches);
    race_walk_bool(io, &card->put);
    race_walk_bool(io, &card->late);
    race_walk_u64(io, &card->joined_us);
    race_walk_u32(io, &card->result_rank);
    race_walk_u32(io, &card->class_position);
    uint32_t status = (uint32_t)card->status;
    race_walk_choice(io, &status, APEX_RESULT_STATUSES - 1);
    card->status = (apex_result_status)status;
    io->ok = io->ok && card->class1 <= APEX_CLASSES_MAX && card->joined_us <= US_MAX &&
             card->pit.box1 <= APEX_TRACK_PIT_BOXES_MAX;
}

static void walk_session(race_walk *io, race_weekend *weekend) {
    race_chequered *flag = &weekend->chequered;
    race_walk_u32(io, &flag->lead_laps);
    race_walk_u64(io, &flag->lead_us);
    race_walk_u32(io, &flag->target);
    race_walk_bool(io, &flag->out);
    race_walk_u64(io, &flag->out_us);
    race_walk_u64(io, &weekend->duration_us);
    race_penalty_numbers_walk(io, &weekend->penalty_numbers);
    race_walk_choice(io, &weekend->book.count, weekend->book.capacity);
    io->ok = io->ok && flag->lead_laps <= APEX_RACE_LAPS_MAX &&
             flag->target <= APEX_RACE_LAPS_MAX + 1 && (flag->out || flag->out_us == 0) &&
             flag->lead_us <= US_MAX && flag->out_us <= US_MAX && weekend->duration_us <= US_MAX;
}

static void walk_competitor(race_walk *io, race_competitor *competitor) {
    for (uint32_t i = 0; i < APEX_NAME_BYTES; i++) {
        uint8_t letter = (uint8_t)competitor->name[i];
        race_walk_u8(io, &letter);
        competitor->name[i] = (char)letter;
    }
    io->ok = io->ok && competitor->name[APEX_NAME_BYTES - 1] == 0;
    race_walk_bool(io, &competitor->present);
    race_walk_u32(io, &competitor->arrival);
    race_walk_u32(io, &competitor->points);
    race_walk_choice(io, &competitor->box1, APEX_TRACK_PIT_BOXES_MAX);
}

static void walk_outcome(race_walk *io, race_outcome *outcome) {
    race_walk_u32(io, &outcome->place);
    race_walk_u32(io, &outcome->class_place);
    race_walk_u32(io, &outcome->laps);
    race_walk_u64(io, &outcome->best_us);
    race_walk_u64(io, &outcome->best_set_us);
    race_walk_u64(io, &outcome->total_us);
    race_walk_u64(io, &outcome->penalty_us);
    race_walk_u32(io, &outcome->points);
    uint32_t status = (uint32_t)outcome->status;
    race_walk_choice(io, &status, APEX_RESULT_STATUSES - 1);
    outcome->status = (apex_result_status)status;
    race_walk_bool(io, &outcome->left_pits);
    race_walk_bool(io, &outcome->began_lap);
    io->ok = io->ok && outcome->laps <= APEX_RACE_LAPS_MAX;
}

static void write_competitor(const race_book *book, race_walk *io, uint32_t index) {
    bool known = index < book->count; // lines past those are left over
    race_competitor competitor = known ? book->competitors[index] : (race_competitor){0};
    walk_competitor(io, &competitor);
    for (uint32_t i = 0; i < book->session_count; i++) {
        size_t at = (size_t)index * book->session_count + i;
        race_outcome outcome = known ? book->outcomes[at] : (race_outcome){0};
        walk_outcome(io, &outcome);
    }
}

static void write_cards(const apex_race *race, race_walk *io, uint32_t index) {
    race_card card = race->field.cards[index];
    bool is_kept = index < race->field.counts.kept;
    race_card kept = is_kept ? race->field.kept_cards[index] : (race_card){0};
    walk_card(io, &card);
    walk_card(io, &kept);
}

static uint32_t book_pieces(const apex_race *race) {
    return race->event.weekend != NULL ? 1 + race->event.weekend->book.capacity : 0;
}

static uint32_t card_pieces(const apex_race *race) {
    return race->field.cards != NULL ? race->field.capacity : 0;
}

static uint32_t flag_pieces(const apex_race *race) {
    return race->control.watches != NULL ? 1 + race->field.capacity : 0;
}

uint32_t race_weekend_pieces(const apex_race *race) {
    return book_pieces(race) + card_pieces(race) + flag_pieces(race);
}

static void write_flags(const apex_race *race, race_walk *io, uint32_t piece) {
    race_control control = race->control;
    if (piece == 0) {
        race_control_walk(io, &control);
    } else {
        race_flag_watch watch = control.watches[piece - 1];
        race_flag_watch_walk(io, &control, &watch);
    }
}

void race_weekend_write(const apex_race *race, race_walk *io, uint32_t piece) {
    APEX_ASSERT(piece < race_weekend_pieces(race));
    uint32_t before = book_pieces(race);
    if (piece >= before + card_pieces(race)) {
        write_flags(race, io, piece - before - card_pieces(race));
    } else if (piece >= before) {
        write_cards(race, io, piece - before);
    } else if (piece > 0) {
        write_competitor(&race->event.weekend->book, io, piece - 1);
    } else {
        race_weekend weekend = *race->event.weekend;
        walk_session(io, &weekend);
    }
}

static size_t flag_bytes(const apex_race *race, uint8_t *bytes) {
    if (flag_pieces(race) == 0) {
        return 0;
    }
    race_walk io = {.out = bytes, .ok = true};
    write_flags(race, &io, 0);
    size_t all = io.at;
    io.at = 0;
    write_flags(race, &io, 1);
    return all + io.at * race->field.capacity;
}

size_t race_weekend_bytes(const apex_race *race) {
    uint8_t bytes[RACE_PIECE_BYTES_MAX];
    uint32_t before = book_pieces(race);
    size_t all = 0;
    race_walk io = {.out = bytes, .ok = true};
    if (before > 0) {
        race_weekend_write(race, &io, 0);
        all += io.at;
        io.at = 0;
        race_weekend_write(race, &io, 1);
        all += io.at * (before - 1);
    }
    if (race->field.cards != NULL) {
        io.at = 0;
        race_weekend_write(race, &io, before);
        APEX_ASSERT(io.at <= sizeof bytes);
        all += io.at * race->field.capacity;
    }
    return all + flag_bytes(race, bytes);
}

static bool read_book(apex_race *race, race_walk *io, bool commit) {
    race_weekend weekend = *race->event.weekend;
    race_book *book = &weekend.book;
    walk_session(io, &weekend);
    for (uint32_t i = 0; i < book->capacity && io->ok; i++) {
        race_competitor competitor = {0};
        walk_competitor(io, &competitor);
        io->ok = io->ok && competitor.box1 <= apex_track_pits_of(race->field.track).box_count;
        if (commit) {
            book->competitors[i] = competitor;
        }
        for (uint32_t k = 0; k < book->session_count; k++) {
            race_outcome outcome = {0};
            walk_outcome(io, &outcome);
            if (commit) {
                book->outcomes[(size_t)i * book->session_count + k] = outcome;
            }
        }
    }
    if (commit) {
        *race->event.weekend = weekend;
    }
    return io->ok;
}

static bool is_blank(const race_card *card) {
    uint8_t own[RACE_PIECE_BYTES_MAX], zero[RACE_PIECE_BYTES_MAX];
    race_card copy = *card, blank = {0};
    race_walk own_io = {.out = own, .ok = true}, zero_io = {.out = zero, .ok = true};
    walk_card(&own_io, &copy);
    walk_card(&zero_io, &blank);
    return memcmp(own, zero, own_io.at) == 0;
}

static bool read_flags(apex_race *race, race_walk *io, bool commit) {
    race_control control = race->control;
    race_control_walk(io, &control);
    for (uint32_t i = 0; i < race->field.capacity && io->ok; i++) {
        race_flag_watch watch = {0};
        race_flag_watch_walk(io, &control, &watch);
        if (commit) {
            race->control.watches[i] = watch;
        }
    }
    if (commit) {
        race->control = control;
    }
    return io->ok;
}

// A box that the track has, and penalties that the event has given.
static bool fits(const apex_race *race, const race_weekend *weekend, const race_card *card) {
    apex_track_pits pits = apex_track_pits_of(race->field.track);
    bool has_place = pits.exists ? card->pit.box1 <= pits.box_count
                                 : card->pit.box1 == 0 && card->pit.phase == APEX_PIT_ROAD;
    return has_place && race_penalties_were_issued(&card->penalties, &weekend->penalty_numbers);
}

bool race_weekend_read(apex_race *race, race_walk *io, const race_weekend_lines *lines,
                       bool commit) {
    uint32_t names = 0;
    race_weekend peek = {0};
    if (race->event.weekend != NULL) {
        peek = *race->event.weekend;
        race_walk ahead = *io;
        walk_session(&ahead, &peek);
        names = peek.book.count;
        if (!ahead.ok || !read_book(race, io, commit)) {
            return false;
        }
    }
    for (uint32_t i = 0; race->field.cards != NULL && i < race->field.capacity; i++) {
        race_card card = {0}, kept = {0};
        walk_card(io, &card);
        walk_card(io, &kept);
        bool live = (lines->generations[i] & 1) != 0;
        if (!io->ok || card.competitor1 > names || kept.competitor1 > names ||
            !fits(race, &peek, &card) || !fits(race, &peek, &kept) || (!live && !is_blank(&card)) ||
            (i >= lines->kept && !is_blank(&kept))) {
            return false;
        }
        if (commit) {
            race->field.cards[i] = card;
            race->field.kept_cards[i] = kept;
        }
    }
    return flag_pieces(race) == 0 || read_flags(race, io, commit);
}
