// A track definition as a message: every field, once.
#include "defs/defs_codec.h"

#include "defs.pb-c.h"
#include "defs/terrain_message.h"

#include <stdlib.h>

#define SURFACE_FIELDS(D)       \
    D##_TEXT(name);             \
    D##_REAL(friction);         \
    D##_REAL(rolling_ratio);    \
    D##_REAL(plough_n_per_mps); \
    D##_REAL(roughness_m);      \
    D##_FLAG(is_road);
DEFS_MESSAGE(surface, Apex__SurfaceDef, APEX__SURFACE_DEF__INIT, apex_surface_def, SURFACE_FIELDS)

#define MATERIAL_FIELDS(D) \
    D##_TEXT(name);        \
    D##_REAL(restitution); \
    D##_REAL(friction);
DEFS_MESSAGE(material, Apex__WallMaterial, APEX__WALL_MATERIAL__INIT, apex_wall_material,
             MATERIAL_FIELDS)

#define STRIP_FIELDS(D)                                  \
    D##_TEXT(surface);                                   \
    D##_ENUM(Apex__TrackSide, apex_track_side, side, 2); \
    D##_REAL(from_m);                                    \
    D##_REAL(to_m);                                      \
    D##_FLAG(from_edge);                                 \
    D##_REAL(inner_m);                                   \
    D##_REAL(outer_m);                                   \
    D##_REAL(height_m);
DEFS_MESSAGE(strip, Apex__TrackStrip, APEX__TRACK_STRIP__INIT, apex_track_strip, STRIP_FIELDS)

#define WALL_FIELDS(D)                                   \
    D##_TEXT(material);                                  \
    D##_ENUM(Apex__TrackSide, apex_track_side, side, 2); \
    D##_REAL(from_m);                                    \
    D##_REAL(to_m);                                      \
    D##_REAL(distance_m);                                \
    D##_REAL(height_m);
DEFS_MESSAGE(wall, Apex__TrackWall, APEX__TRACK_WALL__INIT, apex_track_wall, WALL_FIELDS)

#define FREE_WALL_FIELDS(D)              \
    D##_TEXT(material);                  \
    D##_LIST(x_m, point_count, 64);      \
    D##_LIST_TOO(y_m, point_count, x_m); \
    D##_REAL(base_m);                    \
    D##_REAL(height_m);                  \
    D##_FLAG(closed);
DEFS_MESSAGE(free_wall, Apex__TrackFreeWall, APEX__TRACK_FREE_WALL__INIT, apex_track_free_wall,
             FREE_WALL_FIELDS)

#define POST_FIELDS(D)  \
    D##_TEXT(material); \
    D##_REAL(x_m);      \
    D##_REAL(y_m);      \
    D##_REAL(radius_m); \
    D##_REAL(height_m);
DEFS_MESSAGE(post, Apex__TrackPost, APEX__TRACK_POST__INIT, apex_track_post, POST_FIELDS)

#define GRID_FIELDS(D)      \
    D##_REAL(first_m);      \
    D##_REAL(spacing_m);    \
    D##_ANY(columns);       \
    D##_REAL(column_gap_m); \
    D##_ENUM(Apex__TrackSide, apex_track_side, pole_side, 2);
DEFS_MESSAGE(grid, Apex__TrackGrid, APEX__TRACK_GRID__INIT, apex_track_grid, GRID_FIELDS)

#define PIT_LANE_FIELDS(D)                               \
    D##_ENUM(Apex__TrackSide, apex_track_side, side, 2); \
    D##_REAL(entry_m);                                   \
    D##_REAL(exit_m);                                    \
    D##_REAL(taper_m);                                   \
    D##_REAL(distance_m);                                \
    D##_REAL(width_m);                                   \
    D##_REAL(speed_limit_mps);                           \
    D##_ANY(box_count);                                  \
    D##_REAL(box_spacing_m);                             \
    D##_REAL(box_depth_m);                               \
    D##_TEXT(surface);                                   \
    D##_TEXT(wall_material);                             \
    D##_REAL(wall_height_m);
DEFS_MESSAGE(pit_lane, Apex__TrackPitLane, APEX__TRACK_PIT_LANE__INIT, apex_track_pit_lane,
             PIT_LANE_FIELDS)

#define POINT_COLUMNS(X) \
    X(x_m);              \
    X(y_m);              \
    X(z_m);              \
    X(left_m);           \
    X(right_m);          \
    X(banking_rad);

static Apex__TrackPoints *put_points(apex_arena *arena, const apex_track_def *plain) {
    Apex__TrackPoints *pb = defs_new(arena, 1, sizeof *pb);
    *pb = (Apex__TrackPoints)APEX__TRACK_POINTS__INIT;
#define PUT_COLUMN(field)                                                 \
    pb->n_##field = plain->point_count;                                   \
    pb->field = defs_new(arena, plain->point_count, sizeof pb->field[0]); \
    for (uint32_t i = 0; i < plain->point_count; i++) {                   \
        pb->field[i] = plain->points[i].field;                            \
    }
    POINT_COLUMNS(PUT_COLUMN);
    return pb;
}

static bool get_points(const defs_place *place, const Apex__TrackPoints *pb,
                       apex_track_def *plain) {
    if (pb->n_x_m > APEX_TRACK_POINTS_MAX) {
        return defs_refuse(place, "x_m", "has more than 8192 values");
    }
    plain->points = calloc(pb->n_x_m ? pb->n_x_m : 1, sizeof plain->points[0]);
    if (plain->points == NULL) {
        return defs_refuse(place, "x_m", "finds no memory");
    }
#define GET_COLUMN(field)                                                   \
    if (pb->n_##field != pb->n_x_m) {                                       \
        return defs_refuse(place, #field, "has not as many values as x_m"); \
    }                                                                       \
    if (!defs_finite(pb->field, pb->n_##field)) {                           \
        return defs_refuse(place, #field, "has a value that is no number"); \
    }                                                                       \
    for (size_t i = 0; i < pb->n_##field; i++) {                            \
        plain->points[i].field = pb->field[i];                              \
    }
    POINT_COLUMNS(GET_COLUMN);
    plain->point_count = (uint32_t)pb->n_x_m;
    return true;
}

#define PUT_POINTS pb->points = put_points(arena, plain)
#define GET_POINTS                                             \
    {                                                          \
        defs_place inner = defs_part_of(place, "points", -1);  \
        if (pb->points == NULL) {                              \
            return defs_refuse(place, "points", "is missing"); \
        }                                                      \
        if (!get_points(&inner, pb->points, plain)) {          \
            return false;                                      \
        }                                                      \
    }

#define PUT_TERRAIN pb->terrain = defs_put_terrain(arena, &plain->terrain)
#define GET_TERRAIN                                                    \
    {                                                                  \
        defs_place inner = defs_part_of(place, "terrain", -1);         \
        if (!defs_get_terrain(&inner, pb->terrain, &plain->terrain)) { \
            return false;                                              \
        }                                                              \
    }

#define PUT_PIT_LANE \
    pb->pit_lane = plain->pit_lane.given ? put_pit_lane(arena, &plain->pit_lane) : NULL
#define GET_PIT_LANE                                                 \
    if (pb->pit_lane != NULL) {                                      \
        defs_place inner = defs_part_of(place, "pit_lane", -1);      \
        plain->pit_lane.given = true;                                \
        if (!get_pit_lane(&inner, pb->pit_lane, &plain->pit_lane)) { \
            return false;                                            \
        }                                                            \
    }

#define TRACK_FIELDS(D)                                     \
    D##_TEXT(name);                                         \
    D##_TEXT(title);                                        \
    D##_TEXT(author);                                       \
    D##_FLAG(closed);                                       \
    D##_POINTS;                                             \
    D##_TEXT(road_surface);                                 \
    D##_TEXT(outside_surface);                              \
    D##_REAL(verge_m);                                      \
    D##_TEXT(verge_surface);                                \
    D##_REAL(start_m);                                      \
    D##_REAL(finish_m);                                     \
    D##_LIST(sector_m, sector_count, 8);                    \
    D##_PART(grid, grid);                                   \
    D##_PIT_LANE;                                           \
    D##_PARTS(surface, surfaces, surface_count, 32);        \
    D##_PARTS(material, materials, material_count, 8);      \
    D##_PARTS(strip, strips, strip_count, 128);             \
    D##_PARTS(wall, walls, wall_count, 128);                \
    D##_OWNED(free_wall, free_walls, free_wall_count, 128); \
    D##_OWNED(post, posts, post_count, 512);                \
    D##_ANY(roughness_seed);                                \
    D##_TERRAIN;
DEFS_MESSAGE(track, Apex__TrackDef, APEX__TRACK_DEF__INIT, apex_track_def, TRACK_FIELDS)

static_assert(APEX_TRACK_POINTS_MAX == 8192 && APEX_TRACK_SECTORS_MAX == 8, "");
static_assert(APEX_SURFACES_MAX == 32 && APEX_WALL_MATERIALS_MAX == 8, "");
static_assert(APEX_TRACK_STRIPS_MAX == 128 && APEX_TRACK_WALLS_MAX == 128, "");
static_assert(APEX_TRACK_WALL_POINTS_MAX == 64 && APEX_TRACK_POSTS_MAX == 512, "");
static_assert((int)APEX_SIDE_BOTH == APEX__TRACK_SIDE__SIDE_BOTH, "");

uint8_t *apex_track_def_encode(const apex_track_def *def, size_t *length) {
    APEX_ASSERT(def->point_count <= APEX_TRACK_POINTS_MAX);
    size_t parts = def->surface_count + def->material_count + def->strip_count + def->wall_count +
                   def->free_wall_count + def->post_count;
    // A part is a message of less than 256 bytes, a name and a pointer, each rounded up.
    apex_arena arena;
    if (apex_arena_create(&arena, 8 * 1024 + parts * 512 + defs_terrain_bytes(&def->terrain) +
                                      def->point_count * sizeof(apex_track_point)) != APEX_OK) {
        return NULL;
    }
    uint8_t *bytes = defs_pack(&put_track(&arena, def)->base, length);
    apex_arena_destroy(&arena);
    return bytes;
}

bool apex_track_def_decode(const uint8_t *bytes, size_t length, apex_track_def *out,
                           apex_def_problem *problem) {
    defs_place root = {.problem = problem, .index = -1};
    memset(out, 0, sizeof *out); // the padding too: definitions are compared as bytes
    apex_arena arena;
    const Apex__TrackDef *track = (const Apex__TrackDef *)defs_unpack(&apex__track_def__descriptor,
                                                                      bytes, length, &arena, &root);
    bool ok = track != NULL && get_track(&root, track, out);
    apex_arena_destroy(&arena);
    if (!ok) {
        apex_track_def_free(out);
    }
    return ok;
}
