// Walls and posts; those on a bridge are drawn after the road below it.
#include "drawing/svg/svg_walls.h"

#include "drawing/min_max.h"

#define BRIDGE_M  25.0 // it goes on for this much beyond the road below
#define SIN_LEAST 0.2

static double reach_of(const drawing_paper *paper, const apex_track_crossing *at) {
    double wide_m = paper->sheet->figures->widest_m;
    return wide_m / drawing_max(at->sin, SIN_LEAST) + BRIDGE_M;
}

apex_track_stretch drawing_bridge_of(const drawing_paper *paper, uint32_t index) {
    const apex_track_crossing *at = &paper->sheet->figures->crossings[index];
    double reach_m = reach_of(paper, at);
    return (apex_track_stretch){at->upper_s_m - reach_m, at->upper_s_m + reach_m};
}

/// @return whether a wall stands on a bridge rather than below it.
static bool on_bridge(const drawing_paper *paper, const apex_wall_segment *wall, uint32_t index) {
    const apex_track_crossing *at = &paper->sheet->figures->crossings[index];
    double x_m = 0.5 * (wall->from_x_m + wall->to_x_m);
    double y_m = 0.5 * (wall->from_y_m + wall->to_y_m);
    double reach_m = reach_of(paper, at);
    if (drawing_size(x_m - at->x_m) > reach_m || drawing_size(y_m - at->y_m) > reach_m) {
        return false;
    }
    apex_track_place place = apex_track_project(paper->sheet->track, x_m, y_m, at->upper_s_m);
    apex_track_frame frame = apex_track_frame_at(paper->sheet->track, place.s_m);
    return wall->top_m > frame.z_m - 0.5 * at->height_m;
}

/// @param bridge the one whose walls are wanted, or the count of bridges for all other walls.
static bool is_wanted(const drawing_paper *paper, const apex_wall_segment *wall, uint32_t bridge) {
    uint32_t count = paper->sheet->figures->crossing_count;
    for (uint32_t i = 0; i < count; i++) {
        if (on_bridge(paper, wall, i)) {
            return i == bridge;
        }
    }
    return bridge == count;
}

static void draw_walls_of(const drawing_paper *paper, uint8_t material, uint32_t bridge) {
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    bool any = false;
    double x_m = 0;
    double y_m = 0;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *wall = &walls->segments[i];
        if (wall->material != material || !is_wanted(paper, wall, bridge)) {
            continue;
        }
        if (!any) {
            fprintf(paper->out, "<path fill=\"none\" stroke=\"%s\" stroke-width=\"%.2f\" d=\"",
                    drawing_material_colour(walls->materials[material].name), 0.12 * paper->unit_m);
        }
        if (!any || wall->from_x_m != x_m || wall->from_y_m != y_m) {
            fprintf(paper->out, "M%.2f %.2f", drawing_right(paper, wall->from_x_m),
                    drawing_down(paper, wall->from_y_m));
        }
        any = true;
        x_m = wall->to_x_m;
        y_m = wall->to_y_m;
        fprintf(paper->out, "L%.2f %.2f", drawing_right(paper, x_m), drawing_down(paper, y_m));
    }
    fputs(any ? "\"/>\n" : "", paper->out);
}

void drawing_walls(const drawing_paper *paper, uint32_t bridge) {
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    for (uint32_t i = 0; i < walls->material_count; i++) {
        draw_walls_of(paper, (uint8_t)i, bridge);
    }
}

void drawing_posts(const drawing_paper *paper) {
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const apex_wall_post *post = &walls->posts[i];
        fprintf(paper->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n",
                drawing_right(paper, post->x_m), drawing_down(paper, post->y_m),
                drawing_max(post->radius_m, 0.15 * paper->unit_m),
                drawing_material_colour(walls->materials[post->material].name));
    }
}
