// The marks on the map: lines across the road, boxes, the way to go, kilometres.
#include "drawing/svg/svg_marks.h"

#include <math.h>

#include "drawing/min_max.h"

enum { BOXES_SHOWN = 24 };

#define BOX_M       4.6
#define BOX_HALF_M  1.1
#define ARROW_UNITS 4.5 // past the start line

/// A line across the road, `more_m` beyond its edges.
static void draw_across(const drawing_paper *paper, double s_m, double more_m,
                        const char *attributes) {
    apex_track_frame at = apex_track_frame_at(paper->sheet->track, s_m);
    double from_m[2];
    double to_m[2];
    apex_track_beside(&at, at.left_m + more_m, from_m);
    apex_track_beside(&at, -at.right_m - more_m, to_m);
    fputs("<path d=\"", paper->out);
    drawing_print_place(paper, 'M', from_m);
    drawing_print_place(paper, 'L', to_m);
    fprintf(paper->out, "\" %s/>\n", attributes);
}

/// @return the distance of the nearest stretch of road from a place.
static double nearest_m(const drawing_paper *paper, const double at_m[2]) {
    double best = HUGE_VAL;
    for (uint32_t i = 0; i < paper->spot_count; i++) {
        double dx_m = paper->spots[i].frame.x_m - at_m[0];
        double dy_m = paper->spots[i].frame.y_m - at_m[1];
        best = drawing_min(best, dx_m * dx_m + dy_m * dy_m);
    }
    return sqrt(best);
}

/// A word beside the road with paper round its letters, on the side that was asked for unless
/// another stretch of road comes nearer there.
static void draw_label(const drawing_paper *paper, double s_m, bool left, const char *word) {
    apex_track_frame at = apex_track_frame_at(paper->sheet->track, s_m);
    double away_m = 2.2 * paper->unit_m;
    double sides_m[2][2]; // a little further out than the word begins
    apex_track_beside(&at, at.left_m + 2 * away_m, sides_m[0]);
    apex_track_beside(&at, -at.right_m - 2 * away_m, sides_m[1]);
    double room_m = nearest_m(paper, sides_m[left ? 0 : 1]);
    left = room_m < 1.7 * away_m && nearest_m(paper, sides_m[left ? 1 : 0]) > room_m ? !left : left;
    double from_m[2];
    double place_m[2];
    apex_track_beside(&at, 0, from_m);
    apex_track_beside(&at, left ? at.left_m + away_m : -at.right_m - away_m, place_m);
    double out_x = place_m[0] - from_m[0];
    double out_y = place_m[1] - from_m[1];
    // A word stands beside a road that leads up the sheet, and in the middle above or below others.
    bool upright = drawing_size(out_x) > 0.5 * drawing_size(out_y);
    const char *anchor = !upright ? "middle" : out_x > 0 ? "start" : "end";
    fprintf(paper->out,
            "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"%s\" font-size=\"75%%\" stroke=\"#f6f3ea\" "
            "stroke-width=\"%.2f\" stroke-linejoin=\"round\" paint-order=\"stroke\">%s</text>\n",
            drawing_right(paper, place_m[0]),
            drawing_down(paper, place_m[1]) + 0.45 * paper->unit_m, anchor, 0.5 * paper->unit_m,
            word);
}

static void draw_line_across(const drawing_paper *paper, double s_m) {
    char attributes[120];
    double wide_m = drawing_max(0.35 * paper->unit_m, 1.5);
    snprintf(attributes, sizeof attributes, "stroke=\"#16171a\" stroke-width=\"%.2f\"",
             1.6 * wide_m);
    draw_across(paper, s_m, 0.5 * wide_m, attributes);
    snprintf(attributes, sizeof attributes,
             "stroke=\"#ffffff\" stroke-width=\"%.2f\" stroke-dasharray=\"%.2f\"", wide_m,
             0.6 * wide_m);
    draw_across(paper, s_m, 0, attributes);
}

static void draw_sectors(const drawing_paper *paper) {
    uint32_t count = apex_track_sector_count(paper->sheet->track);
    char attributes[80];
    snprintf(attributes, sizeof attributes, "stroke=\"#1f6fb5\" stroke-width=\"%.2f\"",
             drawing_max(0.3 * paper->unit_m, 1));
    for (uint32_t i = 0; i + 1 < count; i++) {
        char word[16];
        double s_m = apex_track_sector_end_m(paper->sheet->track, i);
        draw_across(paper, s_m, 0.7 * paper->unit_m, attributes);
        snprintf(word, sizeof word, "S%u", i + 1);
        draw_label(paper, s_m, true, word);
    }
}

/// Three sides of a box, open to the rear.
static void draw_boxes(const drawing_paper *paper) {
    uint32_t count = paper->sheet->figures->grid_boxes;
    count = count < BOXES_SHOWN ? count : BOXES_SHOWN;
    fprintf(
        paper->out,
        "<path fill=\"none\" stroke=\"#ffffff\" stroke-width=\"%.2f\" stroke-linejoin=\"round\" "
        "d=\"",
        drawing_max(0.05 * paper->unit_m, 0.25));
    for (uint32_t i = 0; i < count; i++) {
        apex_placement box = apex_track_grid_placement(paper->sheet->track, i);
        static const double corners[4][2] = {{-0.3 * BOX_M, BOX_HALF_M},
                                             {0.5 * BOX_M, BOX_HALF_M},
                                             {0.5 * BOX_M, -BOX_HALF_M},
                                             {-0.3 * BOX_M, -BOX_HALF_M}};
        for (int corner = 0; corner < 4; corner++) {
            double at_m[2];
            apex_track_around(&box, corners[corner][0], corners[corner][1], at_m);
            drawing_print_place(paper, corner == 0 ? 'M' : 'L', at_m);
        }
    }
    fputs("\"/>\n", paper->out);
}

/// Beside the road, past the start line, in driving direction.
static void draw_arrow(const drawing_paper *paper) {
    static const double shape[7][2] = {{0, 0.3},    {2.6, 0.3},  {2.6, 0.9}, {4.4, 0},
                                       {2.6, -0.9}, {2.6, -0.3}, {0, -0.3}};
    apex_track_frame at = apex_track_frame_at(paper->sheet->track, ARROW_UNITS * paper->unit_m);
    double tail_m[2];
    double away_m =
        drawing_min(paper->sheet->def->verge_m + 1.5 * paper->unit_m, 4 * paper->unit_m);
    apex_track_beside(&at, at.left_m + away_m, tail_m);
    apex_placement tail = {.x_m = tail_m[0], .y_m = tail_m[1], .yaw_rad = at.heading_rad};
    fputs("<path fill=\"#cf3a2e\" d=\"", paper->out);
    for (int i = 0; i < 7; i++) {
        double at_m[2];
        apex_track_around(&tail, shape[i][0] * paper->unit_m, shape[i][1] * paper->unit_m, at_m);
        drawing_print_place(paper, i == 0 ? 'M' : 'L', at_m);
    }
    fputs("Z\"/>\n", paper->out);
}

static void draw_kilometres(const drawing_paper *paper) {
    double length_m = apex_track_length_m(paper->sheet->track);
    for (uint32_t km = 1; km * 1000.0 < length_m - 50; km++) {
        char word[16];
        apex_track_frame at = apex_track_frame_at(paper->sheet->track, km * 1000.0);
        fprintf(paper->out,
                "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"#ffffff\" stroke=\"#2c2e31\" "
                "stroke-width=\"%.2f\"/>\n",
                drawing_right(paper, at.x_m), drawing_down(paper, at.y_m), 0.4 * paper->unit_m,
                0.15 * paper->unit_m);
        snprintf(word, sizeof word, "%u km", km);
        draw_label(paper, km * 1000.0, false, word);
    }
}

static void draw_lap(const drawing_paper *paper) {
    draw_kilometres(paper);
    draw_sectors(paper);
    draw_line_across(paper, 0);
    draw_label(paper, 0, false, paper->sheet->def->closed ? "start and finish" : "start");
    if (!paper->sheet->def->closed) {
        double finish_m = apex_track_length_m(paper->sheet->track);
        draw_line_across(paper, finish_m);
        draw_label(paper, finish_m, false, "finish");
    }
    draw_arrow(paper);
}

void drawing_marks(const drawing_paper *paper) {
    fputs("<g id=\"marks\">\n", paper->out);
    draw_boxes(paper);
    if (paper->sheet->figures->has_lap) {
        draw_lap(paper);
    }
    fputs("</g>\n", paper->out);
}
