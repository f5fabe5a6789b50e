// A tile that two stretches of road come through is one ground with a slope between them, unless
// their roads lie over each other: then each gets a layer of its own. This is told from the slabs
// near the tile alone, because a slab with a wide verge reaches tiles where its road is not.
#include "track/ground/tile_layers.h"

#include <math.h>
#include <string.h>

#include "track/ground/slab.h"

#define NEAR_M    4.0  // beside half a tile's diagonal and half a road
#define RUN_GAP_M 20.0 // along the lap, between slabs of one stretch
#define OVER_M    8.0  // roads that come this near each other are over each other
#define STACK_M   1.5  // with less height between them they are one ground

typedef struct road_run {
    uint32_t first, last; // slabs
    double z_sum_m;
    uint32_t count;
    uint8_t layer;
} road_run;

typedef struct layer_sorter {
    const track_ribbon *ribbon;
    const track_tile_order *order;
    uint32_t run_count;
    road_run runs[TRACK_LAYERS_MAX];
} layer_sorter;

static const track_station *station_of(const layer_sorter *sorter, uint32_t slab) {
    const apex_track *track = sorter->ribbon->track;
    if (slab >= track->segment_count) {
        slab = slab == track->segment_count ? 0 : track->segment_count;
    }
    return &track->stations[slab];
}

static bool is_near(const layer_sorter *sorter, uint32_t slab) {
    const track_station *station = station_of(sorter, slab);
    double dx_m = station->x_m - (sorter->order->tile_x + 0.5) * APEX_GROUND_TILE_M;
    double dy_m = station->y_m - (sorter->order->tile_y + 0.5) * APEX_GROUND_TILE_M;
    double reach_m =
        0.7072 * APEX_GROUND_TILE_M + NEAR_M + track_max(station->left_m, station->right_m);
    return dx_m * dx_m + dy_m * dy_m <= reach_m * reach_m;
}

static bool collect_runs(layer_sorter *sorter) {
    const apex_track *track = sorter->ribbon->track;
    road_run *open = NULL;
    for (uint32_t i = 0; i < sorter->order->slab_count; i++) {
        uint32_t slab = sorter->order->slabs[i];
        if (slab >= track->segment_count || !is_near(sorter, slab)) {
            continue;
        }
        if (open == NULL || (slab - open->last) * track->spacing_m > RUN_GAP_M) {
            if (sorter->run_count == TRACK_LAYERS_MAX) {
                return false;
            }
            open = &sorter->runs[sorter->run_count++];
            *open = (road_run){.first = slab};
        }
        open->last = slab;
        open->z_sum_m += station_of(sorter, slab)->z_m;
        open->count++;
    }
    return true;
}

// The stretch over the start line comes in two runs.
static bool same_stretch(const layer_sorter *sorter, const road_run *a, const road_run *b) {
    const apex_track *track = sorter->ribbon->track;
    return track_segment_gap_m(track, a->last, b->first) <= RUN_GAP_M ||
           track_segment_gap_m(track, b->last, a->first) <= RUN_GAP_M;
}

// @return whether two runs lie over each other with height between them, where they come nearest in
// the plan.
static bool stacked(const layer_sorter *sorter, const road_run *a, const road_run *b) {
    if (same_stretch(sorter, a, b)) {
        return false;
    }
    double nearest_m = OVER_M;
    double height_m = 0;
    for (uint32_t i = a->first; i <= a->last; i++) {
        const track_station *one = station_of(sorter, i);
        double one_m = track_max(one->left_m, one->right_m);
        for (uint32_t k = b->first; k <= b->last; k++) {
            const track_station *other = station_of(sorter, k);
            double roads_m = one_m + track_max(other->left_m, other->right_m);
            double dx_m = one->x_m - other->x_m;
            double dy_m = one->y_m - other->y_m;
            double apart_m = sqrt(dx_m * dx_m + dy_m * dy_m) - roads_m;
            if (apart_m < nearest_m) {
                nearest_m = apart_m;
                height_m = fabs(one->z_m - other->z_m);
            }
        }
    }
    return height_m >= STACK_M;
}

// By rising height; a run lies one layer above the highest that it is stacked on.
static void stack(layer_sorter *sorter) {
    uint8_t order[TRACK_LAYERS_MAX];
    for (uint32_t i = 0; i < sorter->run_count; i++) {
        uint32_t k = i;
        double mean_m = sorter->runs[i].z_sum_m / sorter->runs[i].count;
        while (k > 0) {
            const road_run *before = &sorter->runs[order[k - 1]];
            if (!(before->z_sum_m / before->count > mean_m)) {
                break;
            }
            order[k] = order[k - 1];
            k--;
        }
        order[k] = (uint8_t)i;
    }
    for (uint32_t i = 1; i < sorter->run_count; i++) {
        road_run *upper = &sorter->runs[order[i]];
        for (uint32_t k = 0; k < i; k++) {
            const road_run *lower = &sorter->runs[order[k]];
            if (same_stretch(sorter, lower, upper)) {
                upper->layer = lower->layer > upper->layer ? lower->layer : upper->layer;
            } else if (lower->layer >= upper->layer && stacked(sorter, lower, upper)) {
                upper->layer = (uint8_t)(lower->layer + 1);
            }
        }
    }
}

static uint8_t layer_of(const layer_sorter *sorter, uint32_t slab) {
    const apex_track *track = sorter->ribbon->track;
    uint32_t segment = slab < track->segment_count    ? slab
                       : slab == track->segment_count ? 0
                                                      : track->segment_count - 1;
    double best_m = HUGE_VAL;
    uint8_t layer = 0;
    for (uint32_t i = 0; i < sorter->run_count; i++) {
        const road_run *run = &sorter->runs[i];
        double gap_m = 0;
        if (segment < run->first || segment > run->last) {
            gap_m = track_min(track_segment_gap_m(track, segment, run->first),
                              track_segment_gap_m(track, segment, run->last));
        }
        if (gap_m < best_m) {
            best_m = gap_m;
            layer = run->layer;
        }
    }
    return layer;
}

uint32_t track_tile_layers(const track_ribbon *ribbon, const track_tile_order *order,
                           uint8_t *layers) {
    memset(layers, 0, order->slab_count);
    layer_sorter sorter = {.ribbon = ribbon, .order = order};
    if (!collect_runs(&sorter)) {
        return 0;
    }
    stack(&sorter);
    uint8_t highest = 0;
    for (uint32_t i = 0; i < sorter.run_count; i++) {
        highest = sorter.runs[i].layer > highest ? sorter.runs[i].layer : highest;
    }
    if (highest > 0) {
        for (uint32_t i = 0; i < order->slab_count; i++) {
            layers[i] = layer_of(&sorter, order->slabs[i]);
        }
    }
    return highest + 1u;
}
