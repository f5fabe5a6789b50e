// The pit lane and its boxes, where cars drive and stand.

#include "drawing_private.h"

#include "base/trig.h"

#define STEP_M 4.0

// A place beside a placement: to its left, and ahead.
static void print_beside(const drawing_paper *paper, char command, const apex_placement *at,
                         const double left_ahead_m[2]) {
    double sin;
    double cos;
    apex_sincos(at->yaw_rad, &sin, &cos);
    double x_m = at->x_m + left_ahead_m[1] * cos - left_ahead_m[0] * sin;
    double y_m = at->y_m + left_ahead_m[1] * sin + left_ahead_m[0] * cos;
    fprintf(paper->out, "%c%.2f %.2f", command, drawing_right(paper, x_m),
            drawing_down(paper, y_m));
}

// One polygon from the entry to the exit and back; it never lies on itself.
static void draw_lane(const drawing_paper *paper) {
    const apex_track *track = paper->sheet->track;
    const apex_track_pit_lane *lane = &paper->sheet->def->pit_lane;
    double length_m = apex_track_pits_of(track).length_m;
    uint32_t steps = (uint32_t)(length_m / STEP_M) + 1;
    fprintf(paper->out, "<path fill=\"%s\" d=\"", drawing_surface_colour(lane->surface));
    for (uint32_t i = 0; i < 2 * (steps + 1); i++) {
        bool back = i > steps;
        double share = (double)(back ? 2 * steps + 1 - i : i) / steps;
        apex_placement at = apex_track_pit_lane_placement(track, share * length_m);
        const double side_m[2] = {back ? -0.5 * lane->width_m : 0.5 * lane->width_m, 0};
        print_beside(paper, i == 0 ? 'M' : 'L', &at, side_m);
    }
    fputs("Z\"/>\n", paper->out);
}

static void draw_boxes(const drawing_paper *paper) {
    static const double corners[4][2] = {{0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}, {-0.5, 0.5}};
    const apex_track_pit_lane *lane = &paper->sheet->def->pit_lane;
    fprintf(paper->out,
            "<path id=\"pit-boxes\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"%.2f\" d=\"",
            drawing_surface_colour(lane->surface), drawing_max(0.05 * paper->unit_m, 0.25));
    for (uint32_t i = 0; i < lane->box_count; i++) {
        apex_placement at = apex_track_pit_box_placement(paper->sheet->track, i);
        for (int corner = 0; corner < 4; corner++) {
            const double place_m[2] = {corners[corner][0] * lane->box_depth_m,
                                       corners[corner][1] * lane->box_spacing_m};
            print_beside(paper, corner == 0 ? 'M' : 'L', &at, place_m);
        }
        fputc('Z', paper->out);
    }
    fputs("\"/>\n", paper->out);
}

void drawing_pits(const drawing_paper *paper) {
    if (!apex_track_pits_of(paper->sheet->track).exists) {
        return;
    }
    fputs("<g id=\"pits\">\n", paper->out);
    draw_lane(paper);
    draw_boxes(paper);
    fputs("</g>\n", paper->out);
}
