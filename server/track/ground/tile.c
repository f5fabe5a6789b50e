// A tile's heights and surfaces, filled from its slabs.
#include "track/ground/tile.h"

#include <math.h>
#include <string.h>

#include "track/ground/slab.h"

// Stretches that are further than this from each other along the lap are two roads.
#define NEIGHBOUR_M 10.0
// Roads side by side may share this much of their edges.
#define EDGE_M 0.5
// Nodes nearer to the road's edge than this follow that road as good as alone.
#define NEAR_M 1e-3
// A shelf beside a bridge fills the whole tile.
#define SHELF_M 40.0

static void note_road(const track_tile_order *order, track_tile_work *work, uint32_t node,
                      const track_section *at) {
    const apex_track *track = order->ribbon->track;
    double height_m = track_ribbon_height_m(order->ribbon, at, true);
    double known_m = work->road_beyond_m[node];
    if (known_m < -EDGE_M && at->beyond_m < -EDGE_M && !work->clash.found &&
        track_segment_gap_m(track, at->segment, work->road_segment[node]) > NEIGHBOUR_M) {
        work->clash = (track_clash){true, work->road_segment[node], at->segment,
                                    fabs(height_m - work->road_m[node])};
    }
    if (at->beyond_m < known_m) {
        work->road_beyond_m[node] = at->beyond_m;
        work->road_segment[node] = at->segment;
        work->road_m[node] = height_m;
    }
}

// Off the road a node is the mean of all ground that reaches it, weighted by ((D - d) / (D d))^2
// (Franke and Little) with d the distance to that road and D its reach: the road's own edge wins
// where it is near, influence ends without a step, and two roads at different heights get a slope
// between them. Towards the centre of a bend, where a slab folds, its say fades out as well.
static void note_node(const track_tile_order *order, track_tile_work *work, uint32_t node,
                      const track_section *at, double fold) {
    bool shelf = order->layer > 0;
    if (at->beyond_m <= 1) {
        work->reached = true;
    }
    if (at->beyond_m < 0) {
        note_road(order, work, node, at);
        return;
    }
    double reach_m = at->wide_m + at->bank_m + (shelf ? SHELF_M : 0);
    if (at->beyond_m >= reach_m) {
        return;
    }
    double share = (reach_m - at->beyond_m) / (reach_m * track_max(at->beyond_m, NEAR_M));
    double weight = share * share * track_clamp(fold, 0, 1);
    work->weight[node] += weight;
    work->weighted_m[node] += weight * track_ribbon_height_m(order->ribbon, at, !shelf);
}

static void lay_nodes(const track_tile_order *order, const track_slab *slab,
                      track_tile_work *work) {
    double left_m = order->tile_x * APEX_GROUND_TILE_M;
    double bottom_m = order->tile_y * APEX_GROUND_TILE_M;
    for (int32_t y = 0; y < APEX_GROUND_NODES; y++) {
        double point_m[2] = {left_m, bottom_m + y * APEX_GROUND_CELL_M};
        int32_t first;
        int32_t last;
        if (!track_slab_span(slab, point_m, APEX_GROUND_NODES, &first, &last)) {
            continue;
        }
        for (int32_t x = first; x <= last; x++) {
            point_m[0] = left_m + x * APEX_GROUND_CELL_M;
            track_section at;
            double fold;
            if (track_slab_locate(order->ribbon, slab, point_m, &at, &fold)) {
                note_node(order, work, (uint32_t)(y * APEX_GROUND_NODES + x), &at, fold);
            }
        }
    }
}

// The middle of a cell belongs to the road it is nearest to.
static void lay_cells(const track_tile_order *order, const track_slab *slab, track_tile_work *work,
                      apex_ground_tile *tile) {
    double left_m = order->tile_x * APEX_GROUND_TILE_M + APEX_GROUND_CELL_M / 2;
    double bottom_m = order->tile_y * APEX_GROUND_TILE_M + APEX_GROUND_CELL_M / 2;
    for (int32_t y = 0; y < APEX_GROUND_CELLS; y++) {
        double point_m[2] = {left_m, bottom_m + y * APEX_GROUND_CELL_M};
        int32_t first;
        int32_t last;
        if (!track_slab_span(slab, point_m, APEX_GROUND_CELLS, &first, &last)) {
            continue;
        }
        for (int32_t x = first; x <= last; x++) {
            point_m[0] = left_m + x * APEX_GROUND_CELL_M;
            track_section at;
            double fold;
            uint32_t cell = (uint32_t)(y * APEX_GROUND_CELLS + x);
            if (track_slab_locate(order->ribbon, slab, point_m, &at, &fold) &&
                at.beyond_m < work->nearest_m[cell]) {
                work->nearest_m[cell] = at.beyond_m;
                tile->surface[y][x] = track_ribbon_surface(order->ribbon, &at);
            }
        }
    }
}

static void clear(const track_tile_order *order, track_tile_work *work, apex_ground_tile *tile) {
    memset(work->weight, 0, sizeof work->weight);
    memset(work->weighted_m, 0, sizeof work->weighted_m);
    memset(work->road_beyond_m, 0, sizeof work->road_beyond_m);
    memset(tile->surface, order->ribbon->outside_surface, sizeof tile->surface);
    for (uint32_t i = 0; i < TRACK_CELLS; i++) {
        work->nearest_m[i] = HUGE_VAL;
    }
    work->reached = false;
    if (order->layer == 0) {
        memset(work->below, 0, sizeof work->below);
    }
}

// A bridge's own road against the roads under it; then it is one of them for the next layer.
static void check_headroom(track_tile_work *work) {
    for (uint32_t i = 0; i < TRACK_NODES; i++) {
        if (!(work->road_beyond_m[i] < -EDGE_M)) {
            continue;
        }
        double gap_m = fabs(work->road_m[i] - work->below_m[i]);
        if (work->below[i] && gap_m < TRACK_BRIDGE_M && !work->clash.found) {
            work->clash = (track_clash){true, work->below_segment[i], work->road_segment[i], gap_m};
        }
        work->below[i] = true;
        work->below_m[i] = work->road_m[i];
        work->below_segment[i] = work->road_segment[i];
    }
}

// Nodes of a shelf that no slab of its layer reached take the height of a neighbour, in sweeps from
// all four sides.
static void spread(double *height_m, bool *known) {
    for (int32_t sweep = 0; sweep < 4; sweep++) {
        int32_t side = sweep % 2 == 0 ? -1 : 1;
        int32_t row = sweep < 2 ? side : side * APEX_GROUND_NODES;
        for (int32_t k = 0; k < TRACK_NODES; k++) {
            int32_t node = side < 0 ? k : TRACK_NODES - 1 - k;
            int32_t x = node % APEX_GROUND_NODES;
            bool beside = sweep < 2 ? x + side >= 0 && x + side < APEX_GROUND_NODES
                                    : node + row >= 0 && node + row < TRACK_NODES;
            if (!known[node] && beside && known[node + row]) {
                known[node] = true;
                height_m[node] = height_m[node + row];
            }
        }
    }
}

static void finish_heights(const track_tile_order *order, track_tile_work *work,
                           apex_ground_tile *tile) {
    bool known[TRACK_NODES];
    double height_m[TRACK_NODES];
    for (uint32_t i = 0; i < TRACK_NODES; i++) {
        bool road = work->road_beyond_m[i] < 0;
        known[i] = road || work->weight[i] > 0;
        height_m[i] = road                  ? work->road_m[i]
                      : work->weight[i] > 0 ? work->weighted_m[i] / work->weight[i]
                                            : order->ribbon->outside_m;
    }
    if (order->layer > 0) {
        spread(height_m, known);
    }
    for (uint32_t y = 0; y < APEX_GROUND_NODES; y++) {
        for (uint32_t x = 0; x < APEX_GROUND_NODES; x++) {
            tile->height_m[y][x] = (float)height_m[y * APEX_GROUND_NODES + x];
        }
    }
}

void track_tile_lay(const track_tile_order *order, track_tile_work *work, apex_ground_tile *tile) {
    tile->tile_x = order->tile_x;
    tile->tile_y = order->tile_y;
    tile->above = APEX_GROUND_NONE;
    clear(order, work, tile);
    for (uint32_t i = 0; i < order->slab_count; i++) {
        if (order->layers[i] != order->layer) {
            continue;
        }
        track_slab slab = track_slab_at(order->ribbon, order->slabs[i]);
        lay_nodes(order, &slab, work);
        lay_cells(order, &slab, work, tile);
    }
    finish_heights(order, work, tile);
    check_headroom(work);
}
