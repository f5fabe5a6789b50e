// The captions below the map: title, scale, legend and height profile.
#include "drawing/svg/svg_captions.h"

#include "drawing/min_max.h"

#define PROFILE_M_MIN 1.0 // less between lowest and highest is level ground
#define PROFILE_UNITS 12.0
#define CAPTION_UNITS 9.0
#define EDGE_UNITS    4.0 // of the sheet, beside captions and profile

static void open_text(const drawing_paper *paper, double right_m, double down_m,
                      const char *attributes) {
    fprintf(paper->out, "<text x=\"%.2f\" y=\"%.2f\" %s>", right_m, down_m, attributes);
}

static bool has_profile(const drawing_paper *paper) {
    return paper->sheet->figures->highest_m - paper->sheet->figures->lowest_m >= PROFILE_M_MIN;
}

double drawing_captions_m(const drawing_paper *paper) {
    double units = CAPTION_UNITS + (has_profile(paper) ? PROFILE_UNITS + 6 : 0);
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
    // A caption that does not fit the line goes on in the next one.
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
    if (has_profile(paper)) {
        draw_profile(paper, down_m + CAPTION_UNITS * paper->unit_m);
    }
}
