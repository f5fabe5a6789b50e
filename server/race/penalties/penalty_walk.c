// The walk over a player's penalties. All rows are written, so that lines have one length.
#include "race/penalties/penalties.h"
#include "race/penalties/penalty_rows.h"
#include "race/penalties/penalty_table.h"

static void walk_row(race_walk *io, apex_penalty *penalty) {
    uint32_t offence = (uint32_t)penalty->offence;
    uint32_t kind = (uint32_t)penalty->kind;
    uint32_t state = (uint32_t)penalty->state;
    race_walk_u32(io, &penalty->number);
    race_walk_choice(io, &offence, APEX_OFFENCES - 1);
    race_walk_choice(io, &kind, APEX_PENALTY_KINDS - 1);
    race_walk_choice(io, &state, APEX_PENALTY_STATES - 1);
    penalty->offence = (apex_offence)offence;
    penalty->kind = (apex_penalty_kind)kind;
    penalty->state = (apex_penalty_state)state;
    race_walk_double(io, &penalty->amount);
    race_walk_u64(io, &penalty->given_us);
    race_walk_u32(io, &penalty->lap);
    race_walk_u32(io, &penalty->due_lap);
    race_walk_u64(io, &penalty->added_us);
    race_walk_bool(io, &penalty->by_stewards);
}

static bool is_blank(const apex_penalty *row) {
    return row->number == 0 && row->offence == 0 && row->kind == 0 && row->state == 0 &&
           row->amount == 0.0 && row->given_us == 0 && row->lap == 0 && row->due_lap == 0 &&
           row->added_us == 0 && !row->by_stewards;
}

// The seconds of a stop-and-hold and those of a drive-through.
static const uint64_t ADDED_US_MAX = 2 * UINT64_C(1000000) * APEX_PENALTY_AMOUNT_MAX;
// A lap takes a second and more, and each crossing of the line adds at most one lap to a
// term.
enum { LAP_MAX = APEX_RACE_SECONDS_MAX, DUE_LAP_MAX = 3 * LAP_MAX };

// A state and a term that its kind can have.
static bool is_possible_state(const apex_penalty *row) {
    bool open = row->state == APEX_PENALTY_OPEN;
    bool cancelled = row->state == APEX_PENALTY_CANCELLED;
    if (!race_penalty_is_served(row->kind)) {
        bool waits = row->kind == APEX_PENALTY_GRID_DROP && open;
        return row->due_lap == 0 && row->added_us == 0 &&
               (waits || cancelled || row->state == APEX_PENALTY_SERVED);
    }
    bool is_time = row->kind == APEX_PENALTY_TIME;
    bool may_add = row->state == APEX_PENALTY_CONVERTED || (is_time && open);
    return (row->due_lap != 0) == (open && !is_time) && (may_add || row->added_us == 0);
}

static bool is_possible(const apex_penalty *row) {
    return row->number > 0 && row->lap > 0 && row->lap <= LAP_MAX && row->due_lap <= DUE_LAP_MAX &&
           row->added_us <= ADDED_US_MAX && row->given_us <= RACE_ADDED_US_MAX &&
           race_penalty_amount_ok(row->kind, row->amount) && is_possible_state(row);
}

static bool rows_are_possible(const race_penalties *his) {
    if (his->count > APEX_PENALTIES_EACH_MAX) {
        return false;
    }
    bool disqualified = false;
    for (uint32_t i = 0; i < APEX_PENALTIES_EACH_MAX; i++) {
        const apex_penalty *row = &his->all[i];
        bool stands = his->standing[i];
        if (i >= his->count) {
            if (!is_blank(row) || stands) {
                return false;
            }
            continue;
        }
        bool can_stand =
            row->state == APEX_PENALTY_OPEN &&
            (row->kind == APEX_PENALTY_TIME || row->kind == APEX_PENALTY_STOP_AND_HOLD);
        if (!is_possible(row) || (stands && !can_stand) ||
            (i > 0 && row->number <= his->all[i - 1].number)) {
            return false;
        }
        disqualified = disqualified || (row->kind == APEX_PENALTY_DISQUALIFIED &&
                                        row->state == APEX_PENALTY_SERVED);
    }
    return disqualified == his->disqualified;
}

static void walk_visit(race_walk *io, race_penalty_visit *visit) {
    race_walk_bool(io, &visit->barred);
    race_walk_bool(io, &visit->stopped);
    race_walk_bool(io, &visit->served);
    race_walk_u64(io, &visit->entered_us);
}

void race_penalties_walk(race_walk *io, race_penalties *his) {
    for (uint32_t i = 0; i < APEX_OFFENCES; i++) {
        race_walk_u32(io, &his->offences[i]);
    }
    race_walk_u32(io, &his->count);
    for (uint32_t i = 0; i < APEX_PENALTIES_EACH_MAX; i++) {
        walk_row(io, &his->all[i]);
        race_walk_bool(io, &his->standing[i]);
    }
    race_walk_u64(io, &his->forgotten_us);
    race_walk_u32(io, &his->grid_drop);
    race_walk_bool(io, &his->disqualified);
    walk_visit(io, &his->visit);
    io->ok = io->ok && rows_are_possible(his) && his->grid_drop <= RACE_GRID_DROP_MAX &&
             his->forgotten_us <= RACE_ADDED_US_MAX && his->visit.entered_us <= RACE_ADDED_US_MAX;
}

void race_penalty_numbers_walk(race_walk *io, race_penalty_numbers *numbers) {
    race_walk_u32(io, &numbers->issued);
}

bool race_penalties_were_issued(const race_penalties *his, const race_penalty_numbers *numbers) {
    return his->count == 0 || his->all[his->count - 1].number <= numbers->issued;
}
