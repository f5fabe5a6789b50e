/// Keys of track files.
#include "content/track_file/track_tables.h"

#include "content/fields/field_macros.h"
#include "content/track_file/pit_lane_file.h"
#include "content/track_file/terrain_file.h"
#include "content/track_file/track_draft.h"
#include "content/track_file/track_points.h"
#include "content/track_file/track_sections.h"
#include "track/track_def_ranges.h"

static const apex_track_strip first_strip = {
    .surface = "kerb", .side = APEX_SIDE_BOTH, .from_edge = true, .outer_m = 1};
static const apex_track_wall first_wall = {
    .material = "guard-rail", .side = APEX_SIDE_BOTH, .distance_m = 10, .height_m = 1};
static const apex_track_free_wall first_free_wall = {.material = "concrete", .height_m = 1};
static const apex_track_post first_post = {.material = "concrete", .radius_m = 0.1, .height_m = 1};
static const apex_surface_def first_surface = {.friction = 1, .rolling_ratio = 1, .is_road = true};
static const apex_wall_material first_material = {.restitution = 0.2, .friction = 0.4};

static const content_field grid_fields[] = {
    RANGED(apex_track_grid, first_m, "nose of the first box behind the line"),
    RANGED(apex_track_grid, spacing_m, "from one box to the next"),
    RANGED_COUNT(apex_track_grid, columns, "of boxes"),
    RANGED(apex_track_grid, column_gap_m, "between the middles of columns"),
    CHOICE(apex_track_grid, pole_side, content_sides, "left or right"),
};
static const content_table grid_table = CONTENT_TABLE(grid_fields);

static const content_field surface_fields[] = {
    NEED_NAME(apex_surface_def, name, "as strips call it; one of a built-in surface changes that"),
    RANGED(apex_surface_def, friction, "scales the tyres'; 1 dry asphalt"),
    RANGED(apex_surface_def, rolling_ratio, "scales the tyres' rolling resistance"),
    RANGED(apex_surface_def, plough_n_per_mps, "drag on one wheel in soft ground"),
    RANGED(apex_surface_def, roughness_m, "height of bumps"),
    FLAG(apex_surface_def, is_road, "a wheel on it counts as on the track"),
};
static const content_table surface_table = CONTENT_TABLE(surface_fields);

static const content_field material_fields[] = {
    NEED_NAME(apex_wall_material, name, "as walls call it"),
    RANGED(apex_wall_material, restitution, "0 no bounce, 1 full"),
    RANGED(apex_wall_material, friction, "against bodywork"),
};
static const content_table material_table = CONTENT_TABLE(material_fields);

#define ALONG(owner)                                                                       \
    REAL(owner, from_m, 0, APEX_TRACK_LENGTH_M_MAX, "along the lap from the first point"), \
        REAL(owner, to_m, 0, APEX_TRACK_LENGTH_M_MAX, "below from_m: over the line; both 0: all")

static const content_field strip_fields[] = {
    NAME(apex_track_strip, surface, "what it is made of"),
    CHOICE(apex_track_strip, side, content_sides, "of the road: left, right or both"),
    ALONG(apex_track_strip),
    FLAG(apex_track_strip, from_edge, "false: counted from the centre line, positive left"),
    RANGED(apex_track_strip, inner_m, "where it begins, outwards from the road's edge"),
    RANGED(apex_track_strip, outer_m, "where it ends"),
    RANGED(apex_track_strip, height_m, "of its outer edge"),
};
static const content_table strip_table = CONTENT_TABLE(strip_fields);

static const content_field wall_fields[] = {
    NAME(apex_track_wall, material, "what it is made of"),
    CHOICE(apex_track_wall, side, content_sides, "of the road: left, right or both"),
    ALONG(apex_track_wall),
    RANGED(apex_track_wall, distance_m, "outside the road's edge"),
    RANGED(apex_track_wall, height_m, "above the ground"),
};
static const content_table wall_table = CONTENT_TABLE(wall_fields);

static const content_field free_wall_fields[] = {
    NAME(apex_track_free_wall, material, "what it is made of"),
    {.key = "points",
     .type = CONTENT_CUSTOM,
     .required = true,
     .read = content_read_wall_points,
     .alone = true,
     .write = content_write_wall_points,
     .help = "[[x, y], ...] in metres; cars stay on its left"},
    RANGED(apex_track_free_wall, base_m, "height it begins at"),
    RANGED(apex_track_free_wall, height_m, "above that"),
    FLAG(apex_track_free_wall, closed, "the last point is joined to the first"),
};
static const content_table free_wall_table = CONTENT_TABLE(free_wall_fields);

static const content_field post_fields[] = {
    NAME(apex_track_post, material, "what it is made of"),
    NEED_RANGED(apex_track_post, x_m, "position"),
    NEED_RANGED(apex_track_post, y_m, "position"),
    RANGED(apex_track_post, radius_m, "of the post"),
    RANGED(apex_track_post, height_m, "above the ground"),
};
static const content_table post_table = CONTENT_TABLE(post_fields);

static const content_field origin_fields[] = {
    REAL_AS(content_origin, x_m, apex_track_point, "of the first section's begin"),
    REAL_AS(content_origin, y_m, apex_track_point, "of it"),
    REAL_AS(content_origin, z_m, apex_track_point, "of it"),
    ANGLE(content_origin, "heading_deg", heading_rad, -360, 360, "0 along x, 90 along y"),
};
static const content_table origin_table = CONTENT_TABLE(origin_fields);

static const content_field track_fields[] = {
    KIND("a track file"),
    NEED_NAME(apex_track_def, name, "what races call it: a-z, 0-9 and -"),
    TEXT(apex_track_def, title, "what people read"),
    TEXT(apex_track_def, author, "who made it"),
    FLAG(apex_track_def, closed, "a lap; else a stretch from a start line to a finish line"),
    REAL(content_track_file, width_m, 2, 100, "of the road, where nothing else is said"),
    NAME(apex_track_def, road_surface, "asphalt, wet-asphalt, concrete, or one of `surfaces`"),
    NAME(apex_track_def, outside_surface, "beyond the verge"),
    RANGED(apex_track_def, verge_m, "ground is shaped this far outside the road's edges"),
    NAME(apex_track_def, verge_surface, "of that ground"),
    REAL(apex_track_def, start_m, 0, APEX_TRACK_LENGTH_M_MAX, "start line, from the first point"),
    REAL(apex_track_def, finish_m, 0, APEX_TRACK_LENGTH_M_MAX, "open tracks: the finish line"),
    {FIELD(apex_track_def, "sector_m", CONTENT_REALS, sector_m,
           "marks between sectors, from the start line"),
     .count_offset = offsetof(apex_track_def, sector_count),
     .count_max = APEX_TRACK_SECTORS_MAX - 1, // the last sector ends at the line
     .max = APEX_TRACK_LENGTH_M_MAX},
    MAP(apex_track_def, grid, grid_table, "where cars stand before the start"),
    {.key = "pit_lane",
     .type = CONTENT_CUSTOM,
     .read = content_read_pit_lane,
     .alone = true,
     .write = content_write_pit_lane,
     .table = &content_pit_table,
     .prototype = &content_first_pit_lane,
     .help = "beside the road, with boxes; a track may have none"},
    SEED(apex_track_def, roughness_seed, "another number, other bumps"),
    LIST(apex_track_def, surfaces, surface_count, APEX_SURFACES_MAX, surface_table, first_surface,
         "of this track, beside the built-in ones"),
    LIST(apex_track_def, materials, material_count, APEX_WALL_MATERIALS_MAX, material_table,
         first_material, "of walls, beside the built-in ones"),
    LIST(apex_track_def, strips, strip_count, APEX_TRACK_STRIPS_MAX, strip_table, first_strip,
         "kerbs, gravel, wet patches; later ones lie on top"),
    LIST(apex_track_def, walls, wall_count, APEX_TRACK_WALLS_MAX, wall_table, first_wall,
         "along the road, facing it"),
    {FIELD(apex_track_def, "free_walls", CONTENT_LIST, free_walls, "walls anywhere"),
     .allocated = true, .count_offset = offsetof(apex_track_def, free_wall_count),
     .count_max = APEX_TRACK_WALLS_MAX, .table = &free_wall_table, .prototype = &first_free_wall,
     .bytes = sizeof first_free_wall},
    {FIELD(apex_track_def, "posts", CONTENT_LIST, posts, "round things that do not move"),
     .allocated = true, .count_offset = offsetof(apex_track_def, post_count),
     .count_max = APEX_TRACK_POSTS_MAX, .table = &post_table, .prototype = &first_post,
     .bytes = sizeof first_post},
    {FIELD(content_track_file, "origin", CONTENT_MAP, origin, "where sections begin"),
     .table = &origin_table},
    {FIELD(content_track_file, "join", CONTENT_FLAG, join,
           "closed sections that do not meet are completed by a smooth curve")},
    // Last: these build on width, origin and join. track_write.c leaves out all three.
    {.key = "terrain",
     .type = CONTENT_CUSTOM,
     .read = content_read_terrain,
     .help = "ground from a height map; `points` are then a course over it, or are left out"},
    {.key = "points",
     .type = CONTENT_CUSTOM,
     .read = content_read_points,
     .alone = true,
     .help = "centre line [x, y, z?, left?, right?, banking in degrees?]; or else `sections`"},
    {.key = "sections",
     .type = CONTENT_CUSTOM,
     .read = content_read_sections,
     .alone = true,
     .write = content_write_sections,
     .help = "straights and bends in driving order; instead of `points`"},
};
const content_table content_track_table = CONTENT_TABLE(track_fields);
