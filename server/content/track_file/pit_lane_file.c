/// Keys of the pit lane.
#include "content/track_file/pit_lane_file.h"

#include <stdio.h>

#include "content/fields/field_macros.h"
#include "content/fields/fields.h"
#include "content/fields/write_fields.h"
#include "content/track_file/track_draft.h"
#include "track/track_def_ranges.h"

_Static_assert(sizeof(apex_track_side) == sizeof(int), "choices are stored as int");

const char *const content_sides[] = {"left", "right", "both", NULL};

const apex_track_pit_lane content_first_pit_lane = {.taper_m = 50,
                                                    .side = APEX_SIDE_RIGHT,
                                                    .distance_m = 6,
                                                    .width_m = 5,
                                                    .speed_limit_mps = 80 / CONTENT_KMPH_PER_MPS,
                                                    .box_count = 12,
                                                    .box_spacing_m = 10,
                                                    .box_depth_m = 3,
                                                    .surface = "asphalt",
                                                    .wall_height_m = 1};

static const content_field pit_fields[] = {
    CHOICE(apex_track_pit_lane, side, content_sides, "of the road: left or right"),
    NEED_REAL(apex_track_pit_lane, entry_m, 0, APEX_TRACK_LENGTH_M_MAX,
              "where it leaves the road, from the first point"),
    NEED_REAL(apex_track_pit_lane, exit_m, 0, APEX_TRACK_LENGTH_M_MAX,
              "where it is back; below entry_m: over the line"),
    RANGED(apex_track_pit_lane, taper_m, "way over which it leaves, and again joins"),
    RANGED(apex_track_pit_lane, distance_m, "from the road's edge to the lane in between"),
    RANGED(apex_track_pit_lane, width_m, "of the lane"),
    {FIELD(apex_track_pit_lane, "speed_limit_kmph", CONTENT_SPEED, speed_limit_mps, "on the lane"),
     .min = 4, .max = 360},
    RANGED_COUNT(apex_track_pit_lane, box_count, "on the lane's far side"),
    RANGED(apex_track_pit_lane, box_spacing_m, "from one box to the next"),
    RANGED(apex_track_pit_lane, box_depth_m, "of a box, outwards from the lane"),
    NAME(apex_track_pit_lane, surface, "of lane and boxes"),
    NAME(apex_track_pit_lane, wall_material, "of a wall between road and lane; left out: none"),
    RANGED(apex_track_pit_lane, wall_height_m, "of it"),
};
const content_table content_pit_table = CONTENT_TABLE(pit_fields);

bool content_read_pit_lane(content_reader *reader, const yaml_node_t *node, void *base) {
    content_track_file *file = base;
    file->def.pit_lane = apex_default_track_pit_lane();
    return content_read_map(reader, node, &content_pit_table, &file->def.pit_lane);
}

void content_write_pit_lane(content_writer *writer, const void *base) {
    const content_track_file *file = base;
    if (!file->def.pit_lane.given) {
        return;
    }
    apex_track_pit_lane usual = apex_default_track_pit_lane();
    fprintf(writer->out, "%*spit_lane:\n", writer->indent, "");
    writer->indent += 2;
    content_write_map(writer, &content_pit_table, &file->def.pit_lane, &usual);
    writer->indent -= 2;
}
