// Results: a key for each competitor, and one order of them.
#include "race/timing/classify.h"

#include "base/assert.h"

#include <string.h>

// What a competitor is ordered by, the least first, one number after the other.
enum { KEYS = 7 };

typedef struct sort_key {
    uint64_t parts[KEYS];
} sort_key;

// 0 is none, and comes last.
static uint64_t or_last(uint64_t value) {
    return value != 0 ? value : UINT64_MAX;
}

static uint32_t status_rank(apex_result_status status) {
    static const uint32_t RANKS[APEX_RESULT_STATUSES] = {
        [APEX_RESULT_CLASSIFIED] = 0,
        [APEX_RESULT_NOT_CLASSIFIED] = 1,
        [APEX_RESULT_NOT_STARTED] = 2,
        [APEX_RESULT_DISQUALIFIED] = 3,
    };
    APEX_ASSERT((uint32_t)status < APEX_RESULT_STATUSES);
    return RANKS[status];
}

static sort_key race_key(const race_result_facts *facts, const race_result_line *line) {
    return (sort_key){{
        status_rank(line->status),
        UINT32_MAX - line->laps,
        line->net_us,
        line->laps > 0 ? or_last(facts->gate_rank) : 0,
        or_last(facts->grid),
        or_last(facts->number),
        line->who,
    }};
}

static sort_key laps_key(const race_result_facts *facts, const race_result_line *line) {
    uint32_t effort = facts->began_lap ? 0 : facts->left_pits ? 1 : 2;
    return (sort_key){{
        status_rank(line->status),
        or_last(facts->best_us),
        facts->best_us != 0 ? facts->best_set_us : effort,
        or_last(facts->rank_before),
        or_last(facts->grid),
        or_last(facts->number),
        line->who,
    }};
}

typedef sort_key key_fn(const race_result_facts *facts, const race_result_line *line);

static bool is_before(const sort_key *a, const sort_key *b) {
    for (uint32_t i = 0; i < KEYS; i++) {
        if (a->parts[i] != b->parts[i]) {
            return a->parts[i] < b->parts[i];
        }
    }
    return false;
}

// Shell's sort: in place, and its gaps (Ciura, 2001) serve some thousands. That it is not stable
// does not matter, for no two keys are equal.
static void sort(const race_result_facts all[], uint32_t count, key_fn *key_of,
                 race_result_line lines[]) {
    static const uint32_t GAPS[] = {1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (uint32_t g = 0; g < sizeof GAPS / sizeof GAPS[0]; g++) {
        uint32_t gap = GAPS[g];
        for (uint32_t i = gap; i < count; i++) {
            race_result_line line = lines[i];
            sort_key key = key_of(&all[line.who], &line);
            uint32_t at = i;
            for (; at >= gap; at -= gap) {
                const race_result_line *ahead = &lines[at - gap];
                sort_key other = key_of(&all[ahead->who], ahead);
                if (!is_before(&key, &other)) {
                    break;
                }
                lines[at] = *ahead;
            }
            lines[at] = line;
        }
    }
}

// The positions that were given so far in the race or in a class.
typedef struct positions {
    uint32_t given;
    uint32_t newest;
    const race_result_line *newest_line;
} positions;

static uint32_t next_position(positions *so_far, const race_result_line *line, bool heats) {
    const race_result_line *ahead = so_far->newest_line;
    bool dead_heat = heats && ahead != NULL && line->laps > 0 && ahead->laps == line->laps &&
                     ahead->net_us == line->net_us;
    so_far->given++;
    so_far->newest = dead_heat ? so_far->newest : so_far->given;
    so_far->newest_line = line;
    return so_far->newest;
}

// @param heats equal times share a position
static void give_positions(const race_result_facts all[], uint32_t count, race_result_line lines[],
                           bool heats) {
    positions overall = {0}, classes[APEX_CLASSES_MAX + 1] = {0};
    for (uint32_t i = 0; i < count && lines[i].status == APEX_RESULT_CLASSIFIED; i++) {
        uint32_t class1 = all[lines[i].who].class1;
        lines[i].position = next_position(&overall, &lines[i], heats);
        if (class1 != 0) {
            lines[i].class_position = next_position(&classes[class1], &lines[i], heats);
        }
    }
}

static void give_gaps(uint32_t count, race_result_line lines[], bool by_laps) {
    if (count == 0 || lines[0].status != APEX_RESULT_CLASSIFIED) {
        return;
    }
    const race_result_line first = lines[0];
    for (uint32_t i = 1; i < count; i++) {
        race_result_line *line = &lines[i];
        bool counts = line->status == APEX_RESULT_CLASSIFIED ||
                      (by_laps && line->status == APEX_RESULT_NOT_CLASSIFIED);
        if (!counts) {
            continue;
        }
        if (by_laps && line->laps < first.laps) {
            line->laps_behind = first.laps - line->laps;
        } else if (line->net_us > first.net_us) {
            line->gap_us = line->net_us - first.net_us;
        }
    }
}

// Laps that the winner of each class has; who has to take the flag and has not is no winner.
static void find_most_laps(const race_result_facts all[], uint32_t count, bool flag_needed,
                           uint32_t most[APEX_CLASSES_MAX + 1]) {
    for (uint32_t i = 0; i < count; i++) {
        const race_result_facts *facts = &all[i];
        APEX_ASSERT(facts->class1 <= APEX_CLASSES_MAX);
        bool can_win = facts->started && !facts->disqualified && (facts->flagged || !flag_needed);
        if (can_win && facts->laps > most[facts->class1]) {
            most[facts->class1] = facts->laps;
        }
    }
}

// In millionths, so that 0.7 of 10 laps are 7 and not a little less.
static uint32_t laps_needed(double share, uint32_t most) {
    APEX_ASSERT(share >= 0.0 && share <= 1.0);
    uint64_t millionths = (uint64_t)(share * 1e6 + 0.5);
    uint32_t needed = (uint32_t)(millionths * most / 1000000);
    return millionths > 0 && needed == 0 ? 1 : needed;
}

static apex_result_status race_status(const race_result_facts *facts, const apex_rules_def *rules,
                                      uint32_t most) {
    if (facts->disqualified) {
        return APEX_RESULT_DISQUALIFIED;
    }
    if (!facts->started) {
        return APEX_RESULT_NOT_STARTED;
    }
    bool enough = facts->laps >= laps_needed(rules->classified_share, most);
    return enough && (facts->flagged || !rules->flag_needed) ? APEX_RESULT_CLASSIFIED
                                                             : APEX_RESULT_NOT_CLASSIFIED;
}

void race_classify_race(const race_result_facts all[], uint32_t count, const apex_rules_def *rules,
                        race_result_line out[]) {
    uint32_t most[APEX_CLASSES_MAX + 1] = {0};
    find_most_laps(all, count, rules->flag_needed, most);
    for (uint32_t i = 0; i < count; i++) {
        const race_result_facts *facts = &all[i];
        bool has_lap = facts->started && facts->laps > 0;
        out[i] = (race_result_line){
            .who = i,
            .status = race_status(facts, rules, most[facts->class1]),
            .laps = has_lap ? facts->laps : 0,
            .gross_us = has_lap ? facts->ends_us[0] : 0,
            .net_us = has_lap ? facts->ends_us[0] + facts->penalty_us : 0,
        };
    }
    sort(all, count, race_key, out);
    give_positions(all, count, out, true);
    give_gaps(count, out, true);
}

static apex_result_status laps_status(const race_result_facts *facts) {
    if (facts->disqualified) {
        return APEX_RESULT_DISQUALIFIED;
    }
    if (facts->best_us != 0) {
        return APEX_RESULT_CLASSIFIED;
    }
    return facts->left_pits || facts->began_lap ? APEX_RESULT_NOT_CLASSIFIED
                                                : APEX_RESULT_NOT_STARTED;
}

void race_classify_laps(const race_result_facts all[], uint32_t count, race_result_line out[]) {
    for (uint32_t i = 0; i < count; i++) {
        const race_result_facts *facts = &all[i];
        APEX_ASSERT(facts->class1 <= APEX_CLASSES_MAX);
        out[i] = (race_result_line){.who = i,
                                    .status = laps_status(facts),
                                    .laps = facts->laps,
                                    .gross_us = facts->best_us,
                                    .net_us = facts->best_us};
    }
    sort(all, count, laps_key, out);
    give_positions(all, count, out, false);
    give_gaps(count, out, false);
}

// @return race time at which somebody first had so many laps; UINT64_MAX: nobody had
static uint64_t first_end_us(const race_result_facts all[], uint32_t count, uint32_t laps) {
    uint64_t first_us = UINT64_MAX;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t back = all[i].laps - laps;
        if (all[i].laps >= laps && back < RACE_ENDS_KEPT && all[i].ends_us[back] != 0 &&
            all[i].ends_us[back] < first_us) {
            first_us = all[i].ends_us[back];
        }
    }
    return first_us;
}

// Takes so many laps off.
static void take_back(race_result_facts *facts, uint32_t laps) {
    uint64_t ends_us[RACE_ENDS_KEPT] = {0};
    for (uint32_t i = laps; i < RACE_ENDS_KEPT; i++) {
        ends_us[i - laps] = facts->ends_us[i];
    }
    memcpy(facts->ends_us, ends_us, sizeof ends_us);
    facts->laps -= laps < facts->laps ? laps : facts->laps;
}

void race_results_back_to(race_result_facts all[], uint32_t count, uint32_t laps) {
    if (laps == 0) {
        for (uint32_t i = 0; i < count; i++) {
            take_back(&all[i], all[i].laps);
            all[i].gate_rank = 0;
        }
        return;
    }
    uint64_t flag_us = first_end_us(all, count, laps);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t crossings = 0; // since then
        while (crossings < RACE_ENDS_KEPT && crossings < all[i].laps &&
               all[i].ends_us[crossings] >= flag_us) {
            crossings++;
        }
        if (crossings > 0) {
            take_back(&all[i], crossings - 1);
        }
        all[i].flagged = crossings > 0;
        all[i].gate_rank = 0; // that was another line
    }
}

const race_lap_row *race_best_lap_of(const race_lap_row laps[], uint32_t count) {
    const race_lap_row *best = NULL;
    for (uint32_t i = 0; i < count; i++) {
        const race_lap_row *lap = &laps[i];
        if (lap->voids != 0 || lap->time_us == 0) {
            continue;
        }
        if (best == NULL || lap->time_us < best->time_us ||
            (lap->time_us == best->time_us && lap->set_us < best->set_us)) {
            best = lap;
        }
    }
    return best;
}
