/// What reading a track file needs beyond the track.
#pragma once

#include "content/document/reader.h"

/// A stretch of a track given by straights and bends begins here.
typedef struct content_origin {
    double x_m, y_m, z_m, heading_rad;
} content_origin;

/// The lane comes first, so that one base pointer serves both.
typedef struct content_pit_lane {
    apex_track_pit_lane lane;
    double speed_limit_kmph;
} content_pit_lane;

/// apex_track_def comes first, so that one base pointer serves the tables of both.
typedef struct content_track_file {
    apex_track_def def;
    double width_m; ///< of the road where a point or section says nothing else
    content_origin origin;
    bool join; ///< a closed course of sections is completed by a smooth curve
} content_track_file;

extern const content_table content_track_table;   ///< of content_track_file
extern const content_table content_pit_table;     ///< of content_pit_lane
extern const content_table content_section_table; ///< of one section, for the default file

content_track_file content_default_track_file(void);
content_pit_lane content_pit_lane_of(const apex_track_pit_lane *lane);
bool content_read_points(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_terrain(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_sections(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_pit_lane(content_reader *reader, const yaml_node_t *node, void *base);
bool content_read_wall_points(content_reader *reader, const yaml_node_t *node, void *base);
/// With its key; nothing of a track without one.
void content_write_pit_lane(content_writer *writer, const void *base);
void content_write_sections(content_writer *writer, const void *base);
void content_write_wall_points(content_writer *writer, const void *base);
