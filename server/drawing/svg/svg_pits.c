// The pit lane and its boxes, where cars drive and stand.
#include "drawing/svg/svg_pits.h"

#include "drawing/min_max.h"

// One polygon from the entry to the exit and back; it never lies on itself.
static void draw_lane(const drawing_paper *paper) {
    const apex_track *track = paper->sheet->track;
    const char *surface = paper->sheet->def->pit_lane.surface;
    uint32_t count = apex_track_pit_rim_count(track);
    fprintf(paper->out, "<path fill=\"%s\" d=\"", drawing_surface_colour(surface));
    for (uint32_t i = 0; i < count; i++) {
        double at_m[2];
        apex_track_pit_rim_point(track, i, at_m);
        drawing_print_place(paper, i == 0 ? 'M' : 'L', at_m);
    }
    fputs("Z\"/>\n", paper->out);
}

static void draw_boxes(const drawing_paper *paper) {
    const apex_track_pit_lane *lane = &paper->sheet->def->pit_lane;
    fprintf(paper->out,
            "<path id=\"pit-boxes\" fill=\"%s\" stroke=\"#ffffff\" stroke-width=\"%.2f\" d=\"",
            drawing_surface_colour(lane->surface), drawing_max(0.05 * paper->unit_m, 0.25));
    for (uint32_t i = 0; i < lane->box_count; i++) {
        for (int corner = 0; corner < APEX_CORNER_COUNT; corner++) {
            double at_m[2];
            apex_track_pit_box_corner(paper->sheet->track, i, (apex_track_corner)corner, at_m);
            drawing_print_place(paper, corner == 0 ? 'M' : 'L', at_m);
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
