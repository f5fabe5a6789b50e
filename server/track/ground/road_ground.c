// The ground of a road: slabs sorted into tiles, and tiles laid one by one.
#include "track/ground/road_ground.h"

#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/ground/slab.h"
#include "track/ground/tile.h"
#include "track/ground/tile_layers.h"

// 4 km2 of ground, 180 MB: the Nordschleife with wide verges needs a third of it.
#define TILES_MAX     32768u
#define DIRECTORY_MAX 8000000u

typedef struct layout {
    const track_ribbon *ribbon;
    apex_track *track;
    int32_t first_x, first_y;
    uint32_t width, depth;
    uint32_t *starts; // [width * depth + 1]: where a tile's slabs begin in `slabs`
    uint32_t *slabs;
    uint8_t *layers; // of the tile being laid
    uint32_t tile_capacity;
    track_tile_work *work;
} layout;

static apex_err find_extent(layout *lay, apex_def_problem *problem) {
    int32_t low_x = INT32_MAX;
    int32_t low_y = INT32_MAX;
    int32_t high_x = INT32_MIN;
    int32_t high_y = INT32_MIN;
    for (uint32_t i = 0; i < track_slab_count(lay->track); i++) {
        track_slab slab = track_slab_at(lay->ribbon, i);
        int32_t first_y;
        int32_t last_y;
        track_slab_rows(&slab, &first_y, &last_y);
        low_y = first_y < low_y ? first_y : low_y;
        high_y = last_y > high_y ? last_y : high_y;
        for (int32_t y = first_y; y <= last_y; y++) {
            int32_t first_x;
            int32_t last_x;
            if (track_slab_tiles(&slab, y, &first_x, &last_x)) {
                low_x = first_x < low_x ? first_x : low_x;
                high_x = last_x > high_x ? last_x : high_x;
            }
        }
    }
    lay->first_x = low_x;
    lay->first_y = low_y;
    lay->width = (uint32_t)(high_x - low_x) + 1;
    lay->depth = (uint32_t)(high_y - low_y) + 1;
    if ((uint64_t)lay->width * lay->depth > DIRECTORY_MAX) {
        return track_refuse(problem, "points: the track is spread over %u by %u tiles of 16 m",
                            lay->width, lay->depth);
    }
    return APEX_OK;
}

static uint32_t place_of(const layout *lay, int32_t x, int32_t y) {
    return (uint32_t)(y - lay->first_y) * lay->width + (uint32_t)(x - lay->first_x);
}

// Counting sort of slabs by tile: `fill` false counts into starts, true writes the slabs.
static void sort_slabs(layout *lay, bool fill) {
    for (uint32_t i = 0; i < track_slab_count(lay->track); i++) {
        track_slab slab = track_slab_at(lay->ribbon, i);
        int32_t first_y;
        int32_t last_y;
        track_slab_rows(&slab, &first_y, &last_y);
        for (int32_t y = first_y; y <= last_y; y++) {
            int32_t first_x;
            int32_t last_x;
            if (!track_slab_tiles(&slab, y, &first_x, &last_x)) {
                continue;
            }
            for (int32_t x = first_x; x <= last_x; x++) {
                uint32_t *start = &lay->starts[place_of(lay, x, y)];
                if (fill) {
                    lay->slabs[*start] = i;
                }
                (*start)++;
            }
        }
    }
}

static apex_err list_slabs(layout *lay, apex_def_problem *problem) {
    uint32_t places = lay->width * lay->depth;
    lay->starts = calloc((size_t)places + 1, sizeof *lay->starts);
    lay->track->directory = calloc(places, sizeof *lay->track->directory);
    if (lay->starts == NULL || lay->track->directory == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    sort_slabs(lay, false);
    uint32_t sum = 0;
    uint32_t longest = 0;
    uint32_t tiles = 0;
    for (uint32_t i = 0; i <= places; i++) {
        uint32_t count = i < places ? lay->starts[i] : 0;
        tiles += count > 0;
        longest = count > longest ? count : longest;
        lay->starts[i] = sum;
        sum += count;
    }
    if (tiles > TILES_MAX) {
        return track_refuse(problem, "verge_m: the ground would need %u tiles, at most %u", tiles,
                            TILES_MAX);
    }
    lay->tile_capacity = tiles;
    lay->slabs = calloc(sum, sizeof *lay->slabs);
    lay->layers = calloc(longest, 1);
    lay->work = calloc(1, sizeof *lay->work);
    lay->track->tiles = calloc(tiles, sizeof *lay->track->tiles);
    if (lay->slabs == NULL || lay->layers == NULL || lay->work == NULL ||
        lay->track->tiles == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    // Filling moves each start to its tile's end, which is the next one's start.
    sort_slabs(lay, true);
    for (uint32_t i = places; i > 0; i--) {
        lay->starts[i] = lay->starts[i - 1];
    }
    lay->starts[0] = 0;
    return APEX_OK;
}

static apex_ground_tile *new_tile(layout *lay) {
    apex_track *track = lay->track;
    if (track->ground.tile_count == lay->tile_capacity) {
        uint32_t capacity = lay->tile_capacity + lay->tile_capacity / 4 + 16;
        apex_ground_tile *tiles = realloc(track->tiles, capacity * sizeof *tiles);
        if (tiles == NULL) {
            return NULL;
        }
        track->tiles = tiles;
        lay->tile_capacity = capacity;
    }
    return &track->tiles[track->ground.tile_count++];
}

static apex_err refuse_clash(const layout *lay, apex_def_problem *problem) {
    const track_clash *clash = &lay->work->clash;
    const track_station *one = &lay->track->stations[clash->segment];
    const track_station *other = &lay->track->stations[clash->other];
    uint32_t low = one->point < other->point ? one->point : other->point;
    uint32_t high = one->point < other->point ? other->point : one->point;
    return track_refuse(problem,
                        "points[%u]: the road meets itself at points[%u], with %.1f m of height "
                        "between; a bridge needs %.1f m",
                        high, low, clash->gap_m, TRACK_BRIDGE_M);
}

static apex_err lay_place(layout *lay, track_tile_order *order, apex_def_problem *problem) {
    uint32_t layers = track_tile_layers(lay->ribbon, order, lay->layers);
    if (layers == 0) {
        const track_station *near =
            &lay->track->stations[order->slabs[0] % lay->track->station_count];
        return track_refuse(problem,
                            "points[%u]: more than %d stretches of road come together here",
                            near->point, TRACK_LAYERS_MAX);
    }
    uint32_t below = APEX_GROUND_NONE;
    for (uint32_t layer = 0; layer < layers; layer++) {
        apex_ground_tile *tile = new_tile(lay);
        if (tile == NULL) {
            return APEX_ERR_NO_MEMORY;
        }
        order->layer = (uint8_t)layer;
        track_tile_lay(order, lay->work, tile);
        if (lay->work->clash.found) {
            return refuse_clash(lay, problem);
        }
        uint32_t index = lay->track->ground.tile_count - 1;
        if (below == APEX_GROUND_NONE) {
            lay->track->directory[place_of(lay, order->tile_x, order->tile_y)] = index;
        } else if (lay->work->reached) {
            lay->track->tiles[below].above = index;
        } else {
            lay->track->ground.tile_count--; // a shelf without a road
            continue;
        }
        below = index;
    }
    return APEX_OK;
}

static apex_err lay_all(layout *lay, apex_def_problem *problem) {
    for (uint32_t y = 0; y < lay->depth; y++) {
        for (uint32_t x = 0; x < lay->width; x++) {
            uint32_t place = y * lay->width + x;
            lay->track->directory[place] = APEX_GROUND_NONE;
            uint32_t start = lay->starts[place];
            track_tile_order order = {
                .ribbon = lay->ribbon,
                .tile_x = lay->first_x + (int32_t)x,
                .tile_y = lay->first_y + (int32_t)y,
                .slabs = &lay->slabs[start],
                .layers = lay->layers,
                .slab_count = lay->starts[place + 1] - start,
            };
            if (order.slab_count == 0) {
                continue;
            }
            apex_err err = lay_place(lay, &order, problem);
            if (err != APEX_OK) {
                return err;
            }
        }
    }
    return APEX_OK;
}

static void publish(const layout *lay, uint64_t roughness_seed) {
    apex_track *track = lay->track;
    track->ground = (apex_ground){
        .first_x = lay->first_x,
        .first_y = lay->first_y,
        .width = lay->width,
        .depth = lay->depth,
        .directory = track->directory,
        .tiles = track->tiles,
        .tile_count = track->ground.tile_count,
        .surfaces = track->surfaces,
        .surface_count = track->surface_count,
        .outside_surface = lay->ribbon->outside_surface,
        .outside_height_m = lay->ribbon->outside_m,
        .roughness_seed = roughness_seed,
    };
}

apex_err track_lay_ground(const track_ribbon *ribbon, apex_track *track,
                          apex_def_problem *problem) {
    APEX_ASSERT(ribbon->track == track && track->tiles == NULL);
    layout lay = {.ribbon = ribbon, .track = track};
    apex_err err = find_extent(&lay, problem);
    if (err == APEX_OK) {
        err = list_slabs(&lay, problem);
    }
    if (err == APEX_OK) {
        err = lay_all(&lay, problem);
    }
    if (err == APEX_OK) {
        publish(&lay, ribbon->roughness_seed);
    }
    free(lay.starts);
    free(lay.slabs);
    free(lay.layers);
    free(lay.work);
    return err;
}

void track_leave_level(const track_ribbon *ribbon, apex_track *track) {
    APEX_ASSERT(ribbon->track == track && track->tiles == NULL);
    layout lay = {.ribbon = ribbon, .track = track};
    publish(&lay, 0);
}
