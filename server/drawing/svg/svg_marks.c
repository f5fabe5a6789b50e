// What is written on the map and below it.

#include "drawing/svg/paper.h"

#include <math.h>

enum { BOXES_SHOWN = 24 };

#define PROFILE_M_MIN 1.0 // less between lowest and highest is level ground
#define PROFILE_UNITS 12.0
#define CAPTION_UNITS 9.0
#define EDGE_UNITS    4.0 // of the sheet, beside captions and profile
#define BOX_M         4.6
#define BOX_HALF_M    1.1
#define ARROW_UNITS   4.5 // past the start line

static void open_text(const drawing_paper *paper, double right_m, double down_m,
                      const char *attributes) {
    fprintf(paper->out, "<text x=\"%.2f\" y=\"%.2f\" %s>", right_m, down_m, attributes);
}

// --- On the map ---------------------------------------------------------------------------------

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

/// How near some stretch of road comes to a place.
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

// --- Below it -----------------------------------------------------------------------------------

bool drawing_has_profile(const drawing_paper *paper) {
    return paper->sheet->figures->highest_m - paper->sheet->figures->lowest_m >= PROFILE_M_MIN;
}

double drawing_captions_m(const drawing_paper *paper) {
    double units = CAPTION_UNITS + (drawing_has_profile(paper) ? PROFILE_UNITS + 6 : 0);
    return units * paper->unit_m;
}

static void subtitle(FILE *out, const apex_track_figures *figures) {
    if (figures->has_lap) {
        fprintf(out, "%.0f m, %.1f to %.1f m wide, %u bends left, %u right", figures->length_m,
                figures->narrowest_m, figures->widest_m, figures->left_bends, figures->right_bends);
    }
    if (figures->climb_m >= PROFILE_M_MIN) {
        fprintf(out, ", %.0f m of climb", figures->climb_m);
    }
    if (figures->has_terrain) {
        fprintf(out, "%sterrain of %.0f by %.0f m, %.1f to %.1f m high",
                figures->has_lap ? ", on a " : "", figures->east_m, figures->north_m,
                drawing_shown(figures->ground_low_m), drawing_shown(figures->ground_high_m));
    }
}

static void draw_title(const drawing_paper *paper) {
    const apex_track_figures *figures = paper->sheet->figures;
    double left_m = EDGE_UNITS * paper->unit_m;
    open_text(paper, left_m, 5 * paper->unit_m, "font-size=\"200%\" font-weight=\"bold\"");
    drawing_print_text(paper->out, paper->sheet->def->title);
    fputs("</text>\n", paper->out);
    open_text(paper, left_m, 8 * paper->unit_m, "fill=\"#6b6e73\"");
    subtitle(paper->out, figures);
    fputs("</text>\n", paper->out);
}

/// 1, 2 or 5 with zeros, about a sixth of the sheet.
static double scale_m(const drawing_paper *paper) {
    double most_m = (paper->high_x_m - paper->low_x_m) / 6;
    double length_m = 10;
    for (;;) {
        static const double steps[3] = {2, 2.5, 2};
        for (int i = 0; i < 3; i++) {
            if (length_m * steps[i] > most_m) {
                return length_m;
            }
            length_m *= steps[i];
        }
    }
}

static void draw_scale(const drawing_paper *paper, double down_m) {
    double unit_m = paper->unit_m;
    double length_m = scale_m(paper);
    double from_m = EDGE_UNITS * unit_m;
    fprintf(paper->out,
            "<path fill=\"none\" stroke=\"#2c2e31\" stroke-width=\"%.2f\" "
            "d=\"M%.2f %.2fv%.2fh%.2fv%.2f\"/>\n",
            0.25 * unit_m, from_m, down_m - unit_m, unit_m, length_m, -unit_m);
    open_text(paper, from_m + 0.5 * length_m, down_m + 2.2 * unit_m, "text-anchor=\"middle\"");
    fprintf(paper->out, "%.0f m</text>\n", length_m);
}

typedef struct legend {
    const drawing_paper *paper;
    double right_m, down_m;
} legend;

/// @param high_units less than a square's 1.6 for what is a line on the map.
static void draw_swatch(legend *at, const char *colour, const char *name, double high_units) {
    double unit_m = at->paper->unit_m;
    double wide_m = 3.2;
    for (const char *letter = name; *letter != '\0'; letter++) {
        wide_m += 0.95;
    }
    // What does not fit the line goes on in the next one.
    if (at->right_m + (wide_m + EDGE_UNITS) * unit_m >
        drawing_right(at->paper, at->paper->high_x_m)) {
        at->right_m = EDGE_UNITS * unit_m + scale_m(at->paper) + 4 * unit_m;
        at->down_m += 2.6 * unit_m;
    }
    fprintf(at->paper->out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
            at->right_m, at->down_m - (0.5 + 0.5 * high_units) * unit_m, 1.6 * unit_m,
            high_units * unit_m, colour);
    open_text(at->paper, at->right_m + 2.2 * unit_m, at->down_m, "");
    drawing_print_text(at->paper->out, name);
    fputs("</text>\n", at->paper->out);
    at->right_m += (wide_m + 1) * unit_m;
}

static void draw_legend(const drawing_paper *paper, double down_m) {
    const apex_track_sheet *sheet = paper->sheet;
    const apex_ground *ground = apex_track_ground(sheet->track);
    const apex_walls *walls = apex_track_walls(sheet->track);
    double right_m = EDGE_UNITS * paper->unit_m + scale_m(paper) + 4 * paper->unit_m;
    legend at = {paper, right_m, down_m};
    for (uint32_t i = 0; i < ground->surface_count; i++) {
        if (sheet->figures->surface_m2[i] > 0) {
            draw_swatch(&at, drawing_surface_colour(ground->surfaces[i].name),
                        ground->surfaces[i].name, 1.6);
        }
    }
    for (uint32_t i = 0; i < walls->material_count; i++) {
        if (sheet->figures->wall_m[i] > 0) {
            draw_swatch(&at, drawing_material_colour(walls->materials[i].name),
                        walls->materials[i].name, 0.4);
        }
    }
}

// --- Heights ------------------------------------------------------------------------------------

typedef struct profile {
    const drawing_paper *paper;
    double left_m, top_m, wide_m, deep_m;
} profile;

static double profile_right(const profile *at, double s_m) {
    double way_m = at->paper->lap.to_m - at->paper->lap.from_m;
    return at->left_m + at->wide_m * (s_m - at->paper->lap.from_m) / way_m;
}

static double profile_down(const profile *at, double z_m) {
    const apex_track_figures *figures = at->paper->sheet->figures;
    double share = (z_m - figures->lowest_m) / (figures->highest_m - figures->lowest_m);
    return at->top_m + at->deep_m * (0.9 - 0.85 * share);
}

static void draw_profile_tick(const profile *at, double s_m, const char *colour, const char *word) {
    double unit_m = at->paper->unit_m;
    fprintf(at->paper->out,
            "<path stroke=\"%s\" stroke-width=\"%.2f\" stroke-dasharray=\"%.2f\" "
            "d=\"M%.2f %.2fv%.2f\"/>\n",
            colour, 0.12 * unit_m, 0.5 * unit_m, profile_right(at, s_m), at->top_m, at->deep_m);
    open_text(at->paper, profile_right(at, s_m), at->top_m + at->deep_m + 1.8 * unit_m,
              "text-anchor=\"middle\" font-size=\"75%\"");
    fprintf(at->paper->out, "%s</text>\n", word);
}

static void draw_height(const profile *at, double z_m) {
    open_text(at->paper, at->left_m - 0.6 * at->paper->unit_m,
              profile_down(at, z_m) + 0.5 * at->paper->unit_m,
              "text-anchor=\"end\" font-size=\"75%\"");
    fprintf(at->paper->out, "%.0f m</text>\n", drawing_shown(z_m));
}

static void draw_profile(const drawing_paper *paper, double down_m) {
    const apex_track_figures *figures = paper->sheet->figures;
    double wide_m = paper->high_x_m - paper->low_x_m;
    profile at = {paper, (EDGE_UNITS + 2) * paper->unit_m, down_m, 0, 0};
    at.wide_m = wide_m - at.left_m - EDGE_UNITS * paper->unit_m;
    at.deep_m = PROFILE_UNITS * paper->unit_m;
    fprintf(paper->out,
            "<g id=\"heights\">\n<path fill=\"#c9c4b4\" stroke=\"#6b6e73\" "
            "stroke-width=\"%.2f\" d=\"M%.2f %.2f",
            0.15 * paper->unit_m, at.left_m, at.top_m + at.deep_m);
    for (uint32_t i = 0; i < paper->spot_count; i++) {
        fprintf(paper->out, "L%.2f %.2f", profile_right(&at, paper->spots[i].s_m),
                profile_down(&at, paper->spots[i].frame.z_m));
    }
    apex_track_frame last = apex_track_frame_at(paper->sheet->track, paper->lap.to_m);
    fprintf(paper->out, "L%.2f %.2fV%.2fZ\"/>\n", at.left_m + at.wide_m,
            profile_down(&at, last.z_m), at.top_m + at.deep_m);
    for (uint32_t km = 1; km * 1000.0 < figures->length_m; km++) {
        char word[16];
        snprintf(word, sizeof word, "%u km", km);
        draw_profile_tick(&at, km * 1000.0, "#8f8b7d", word);
    }
    for (uint32_t i = 0; i + 1 < apex_track_sector_count(paper->sheet->track); i++) {
        draw_profile_tick(&at, apex_track_sector_end_m(paper->sheet->track, i), "#1f6fb5", "");
    }
    draw_height(&at, figures->lowest_m);
    draw_height(&at, figures->highest_m);
    fputs("</g>\n", paper->out);
}

void drawing_captions(const drawing_paper *paper, double down_m) {
    draw_title(paper);
    draw_scale(paper, down_m + 3.5 * paper->unit_m);
    draw_legend(paper, down_m + 3.5 * paper->unit_m);
    if (drawing_has_profile(paper)) {
        draw_profile(paper, down_m + CAPTION_UNITS * paper->unit_m);
    }
}
