// Points of races, and their sum over an event.
#include "race/timing/points.h"

#include "base/assert.h"

// Where he scores: in his class, or among all.
static uint32_t scoring_position(const race_result_line *line) {
    return line->class_position != 0 ? line->class_position : line->position;
}

static bool score_together(const race_result_facts all[], const race_result_line *a,
                           const race_result_line *b) {
    return b->status == APEX_RESULT_CLASSIFIED && all[a->who].class1 == all[b->who].class1 &&
           scoring_position(a) == scoring_position(b);
}

// A dead heat stands together in the result, but for cars of other classes between.
static uint32_t how_many_share(const race_result_facts all[], const race_result_line lines[],
                               uint32_t count, const race_result_line *line) {
    uint32_t sharers = 0;
    for (uint32_t i = 0; i < count; i++) {
        sharers += score_together(all, line, &lines[i]) ? 1 : 0;
    }
    return sharers;
}

static uint32_t share_of(const apex_session_def *def, uint32_t position, uint32_t sharers) {
    uint32_t sum = 0;
    for (uint32_t i = 0; i < sharers && position - 1 + i < def->points_count; i++) {
        sum += def->points[position - 1 + i];
    }
    return sum * RACE_POINT_PARTS / sharers;
}

static void score_best_lap(const race_result_facts all[], const race_result_line lines[],
                           uint32_t count, const apex_session_def *def, uint32_t parts[]) {
    const race_result_line *best[APEX_CLASSES_MAX + 1] = {0};
    for (uint32_t i = 0; i < count; i++) {
        const race_result_facts *facts = &all[lines[i].who];
        const race_result_line **mine = &best[facts->class1];
        const race_result_facts *other = *mine != NULL ? &all[(*mine)->who] : NULL;
        if (facts->best_us != 0 && lines[i].status != APEX_RESULT_DISQUALIFIED &&
            (other == NULL || facts->best_us < other->best_us ||
             (facts->best_us == other->best_us && facts->best_set_us < other->best_set_us))) {
            *mine = &lines[i];
        }
    }
    for (uint32_t i = 0; i <= APEX_CLASSES_MAX; i++) {
        if (best[i] != NULL && best[i]->status == APEX_RESULT_CLASSIFIED) {
            parts[best[i]->who] += def->best_lap_points * RACE_POINT_PARTS;
        }
    }
}

void race_score(const race_result_facts all[], const race_result_line lines[], uint32_t count,
                const apex_session_def *def, uint32_t parts[]) {
    APEX_ASSERT(def->points_count <= APEX_POINTS_PLACES_MAX);
    for (uint32_t i = 0; i < count; i++) {
        parts[lines[i].who] = 0;
        uint32_t position = scoring_position(&lines[i]);
        if (position == 0 || position > def->points_count) {
            continue;
        }
        uint32_t sharers = how_many_share(all, lines, count, &lines[i]);
        APEX_ASSERT(sharers > 0); // himself
        parts[lines[i].who] = share_of(def, position, sharers);
    }
    score_best_lap(all, lines, count, def, parts);
}

void race_season_add(race_season *season, uint32_t parts, uint32_t position) {
    season->parts += parts;
    if (position > 0 && position <= APEX_POINTS_PLACES_MAX) {
        season->places[position - 1]++;
    }
}

bool race_season_before(const race_season *a, const race_season *b) {
    if (a->parts != b->parts) {
        return a->parts > b->parts;
    }
    for (uint32_t i = 0; i < APEX_POINTS_PLACES_MAX; i++) {
        if (a->places[i] != b->places[i]) {
            return a->places[i] > b->places[i];
        }
    }
    return a->entry < b->entry;
}

void race_season_walk(race_walk *io, race_season *season) {
    race_walk_u32(io, &season->parts);
    race_walk_u32(io, &season->entry);
    for (uint32_t i = 0; i < APEX_POINTS_PLACES_MAX; i++) {
        race_walk_u32(io, &season->places[i]);
    }
}
