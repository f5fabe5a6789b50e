// The order along the lap: cars near each other, and places with room for a car.
#include "race/field/along.h"

#include "race/field/sorting.h"

static const double NEAR_M = 25.0; // further along the lap nobody can touch

static bool lies_before(const race_field *field, uint32_t a, uint32_t b) {
    double a_m = field->players[a].s_m;
    double b_m = field->players[b].s_m;
    return a_m != b_m ? a_m < b_m : a < b;
}

void race_along_sort(race_field *field) {
    APEX_ASSERT(field->along_count <= field->capacity);
    APEX_ASSERT(field->pool.live_count <= field->capacity);
    uint32_t count =
        race_sort_renew(field, field->along, field->along_count, field->pool.live_count);
    field->along_count = count;
    race_sort(&(race_sorting){field, lies_before, field->along, field->scratch, count});
    for (uint32_t i = 0; i < count; i++) {
        field->rank_along[field->along[i]] = i;
    }
}

static bool starts_before(const race_player *a, uint32_t a_place, const race_player *b,
                          uint32_t b_place) {
    if (a_place != b_place) { // nobody who has a place stands behind one who has none
        return a_place != 0 && (b_place == 0 || a_place < b_place);
    }
    if (a->join_number != b->join_number) {
        return a->join_number < b->join_number;
    }
    return a->id.index1 < b->id.index1; // restored numbers may be anything
}

static bool stood_before(const race_field *field, uint32_t a_slot, uint32_t b_slot) {
    const race_player *a = &field->players[a_slot];
    const race_player *b = &field->players[b_slot];
    return starts_before(a, a->grid, b, b->grid);
}

static bool came_before(const race_field *field, uint32_t a_slot, uint32_t b_slot) {
    const race_player *a = &field->players[a_slot];
    const race_player *b = &field->players[b_slot];
    return starts_before(a, a->last_position, b, b->last_position);
}

void race_along_starters(race_field *field, bool same_order) {
    uint32_t count = field->pool.live_count;
    memcpy(field->along, field->live, count * sizeof *field->along);
    field->along_count = count;
    race_before_fn *before = same_order ? stood_before : came_before;
    race_sort(&(race_sorting){field, before, field->along, field->scratch, count});
}

static bool touches(const race_field *field, uint32_t a, uint32_t b, const double at_m[2]) {
    double reach_m =
        field->car_reach_m[field->players[a].car] + field->car_reach_m[field->players[b].car];
    double x_m = race_field_pose(field, b)->position_m[0] - at_m[0];
    double y_m = race_field_pose(field, b)->position_m[1] - at_m[1];
    return x_m * x_m + y_m * y_m < reach_m * reach_m;
}

// First rank along the lap whose distance is not below s_m.
static uint32_t rank_at(const race_field *field, double s_m) {
    uint32_t low = 0;
    uint32_t high = field->along_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (field->players[field->along[middle]].s_m < s_m) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static bool free_one_way(const race_field *field, uint32_t slot, double s_m, const double at_m[2],
                         bool ahead) {
    uint32_t count = field->along_count;
    uint32_t rank = rank_at(field, s_m);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = ahead ? (rank + i) % count : (rank + count - 1 - i) % count;
        uint32_t other = field->along[at];
        double gap_m = apex_track_gap_m(field->track, s_m, field->players[other].s_m);
        if (gap_m > NEAR_M || gap_m < -NEAR_M) {
            return true;
        }
        if (other != slot && touches(field, slot, other, at_m)) {
            return false;
        }
    }
    return true;
}

bool race_along_is_place_free(const race_field *field, uint32_t slot, double s_m,
                              const double at_m[2]) {
    return free_one_way(field, slot, s_m, at_m, true) &&
           free_one_way(field, slot, s_m, at_m, false);
}

bool race_along_is_free(const race_field *field, uint32_t slot) {
    return race_along_is_place_free(field, slot, field->players[slot].s_m,
                                    race_field_pose(field, slot)->position_m);
}
