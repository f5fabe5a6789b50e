// The map: ground, road and walls with their true widths, from below to above.

#include "drawing/svg/paper.h"

#include <stdlib.h>
#include <string.h>

// Places along the lap are as close as the bend wants.
#define STEP_M_MIN   2.5
#define STEP_M_MAX   15.0
#define STEP_RAD     0.04
#define PARAPET_M    1.2  // of a bridge, beside its road
#define BRIDGE_M     25.0 // it goes on for this much beyond the road below
#define SIN_LEAST    0.2
#define MARGIN_UNITS 7.0
#define UNITS        110.0 // on the longer side

static const drawing_paint surfaces[] = {
    {"asphalt", "#4b4f55"}, {"wet-asphalt", "#3c5068"}, {"concrete", "#9c9b95"},
    {"kerb", "#cf3a2e"},    {"grass", "#a9c58a"},       {"gravel", "#dcc99a"},
    {"sand", "#ead9a0"},    {"mud", "#7d6044"},         {"earth", "#ab8c63"},
    {"snow", "#f2f6fa"},    {"ice", "#cde7f2"},
};

static const drawing_paint materials[] = {
    {"concrete", "#6f7277"},
    {"tyre-wall", "#1d1d1f"},
    {"guard-rail", "#8593a3"},
    {"plastic", "#d9822b"},
};

static const char *colour_of(const drawing_paint *paints, size_t count, const char *name) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(paints[i].name, name) == 0) {
            return paints[i].colour;
        }
    }
    return "#a48fb8"; // of a track's own making
}

const char *drawing_surface_colour(const char *name) {
    return colour_of(surfaces, sizeof surfaces / sizeof surfaces[0], name);
}

const char *drawing_material_colour(const char *name) {
    return colour_of(materials, sizeof materials / sizeof materials[0], name);
}

double drawing_right(const drawing_paper *paper, double x_m) {
    return x_m - paper->low_x_m;
}

double drawing_down(const drawing_paper *paper, double y_m) {
    return paper->high_y_m - y_m;
}

void drawing_print_place(const drawing_paper *paper, char command, const double at_m[2]) {
    fprintf(paper->out, "%c%.2f %.2f", command, drawing_right(paper, at_m[0]),
            drawing_down(paper, at_m[1]));
}

void drawing_print_text(FILE *out, const char *text) {
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '&') {
            fputs("&amp;", out);
        } else if (*at == '<') {
            fputs("&lt;", out);
        } else if (*at == '>') {
            fputs("&gt;", out);
        } else if (*at >= 0x20) {
            fputc(*at, out);
        }
    }
}

// --- Bands along the road -----------------------------------------------------------------------

static void draw_band(const drawing_paper *paper, const apex_track_band *band, const char *colour) {
    apex_track_cut cut = {
        .track = paper->sheet->track,
        .spots = paper->spots,
        .spot_count = paper->spot_count,
        .band = *band,
    };
    apex_track_piece piece;
    fprintf(paper->out, "<path fill=\"%s\" d=\"", colour);
    while (apex_track_next_piece(&cut, &piece)) {
        for (size_t i = 0; i < piece.count; i++) {
            drawing_print_place(paper, i == 0 ? 'M' : 'L', piece.at_m[i]);
        }
        fputc('Z', paper->out);
    }
    fputs("\"/>\n", paper->out);
}

/// What of a strip lies in a part of the lap, NULL for all of it; false if nothing does.
static bool clip(const drawing_paper *paper, const apex_track_strip *strip,
                 const apex_track_stretch *part, apex_track_stretch *out) {
    const apex_track_sheet *sheet = paper->sheet;
    double lap_m = paper->lap.to_m - paper->lap.from_m;
    apex_track_stretch along = apex_track_strip_stretch(sheet->track, sheet->def, strip);
    if (!part || along.to_m - along.from_m >= lap_m) {
        *out = part ? *part : along;
        return true;
    }
    for (int round = -1; round <= 1; round++) {
        double low_m = drawing_max(along.from_m + round * lap_m, part->from_m);
        double high_m = drawing_min(along.to_m + round * lap_m, part->to_m);
        if ((round == 0 || sheet->def->closed) && high_m - low_m > 0.5) {
            *out = (apex_track_stretch){low_m, high_m};
            return true;
        }
    }
    return false;
}

static bool beside_road(const apex_track_strip *strip) {
    return strip->from_edge && strip->inner_m >= 0;
}

static void draw_strips(const drawing_paper *paper, const apex_track_stretch *part, bool beside) {
    const apex_track_def *def = paper->sheet->def;
    for (uint32_t i = 0; i < def->strip_count; i++) {
        const apex_track_strip *strip = &def->strips[i];
        apex_track_stretch along;
        if (beside_road(strip) != beside || !clip(paper, strip, part, &along)) {
            continue;
        }
        apex_track_band bands[2];
        size_t count = apex_track_strip_bands(strip, along, bands);
        for (size_t k = 0; k < count; k++) {
            draw_band(paper, &bands[k], drawing_surface_colour(strip->surface));
        }
    }
}

static void draw_road(const drawing_paper *paper, const apex_track_stretch *along, double beyond_m,
                      const char *colour) {
    apex_track_band road = {
        .left = {APEX_LINE_LEFT_EDGE, beyond_m},
        .right = {APEX_LINE_RIGHT_EDGE, beyond_m},
        .along = *along,
    };
    draw_band(paper, &road, colour);
}

// --- Walls and posts ----------------------------------------------------------------------------

static double reach_of(const drawing_paper *paper, const apex_track_crossing *at) {
    double wide_m = paper->sheet->figures->widest_m;
    return wide_m / drawing_max(at->sin, SIN_LEAST) + BRIDGE_M;
}

static apex_track_stretch bridge_of(const drawing_paper *paper, uint32_t index) {
    const apex_track_crossing *at = &paper->sheet->figures->crossings[index];
    double reach_m = reach_of(paper, at);
    return (apex_track_stretch){at->upper_s_m - reach_m, at->upper_s_m + reach_m};
}

/// Whether a wall stands on a bridge rather than below it.
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

static void draw_walls(const drawing_paper *paper, uint32_t bridge) {
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    for (uint32_t i = 0; i < walls->material_count; i++) {
        draw_walls_of(paper, (uint8_t)i, bridge);
    }
}

static void draw_posts(const drawing_paper *paper) {
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const apex_wall_post *post = &walls->posts[i];
        fprintf(paper->out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.2f\" fill=\"%s\"/>\n",
                drawing_right(paper, post->x_m), drawing_down(paper, post->y_m),
                drawing_max(post->radius_m, 0.15 * paper->unit_m),
                drawing_material_colour(walls->materials[post->material].name));
    }
}

// --- The whole picture --------------------------------------------------------------------------

// A course is shown on the terrain that it lies on, which shines through.
static void draw_ground(const drawing_paper *paper) {
    const apex_track_def *def = paper->sheet->def;
    const apex_track_figures *figures = paper->sheet->figures;
    if (figures->has_terrain) {
        drawing_terrain(paper);
        if (figures->has_lap) {
            fputs("<g id=\"road\" fill-opacity=\"0.35\">\n", paper->out);
            draw_road(paper, &paper->lap, 0, "#ffffff");
            fputs("</g>\n", paper->out);
        }
        return;
    }
    fputs("<g id=\"ground\">\n", paper->out);
    draw_road(paper, &paper->lap, def->verge_m, drawing_surface_colour(def->verge_surface));
    draw_strips(paper, NULL, true);
    fputs("</g>\n", paper->out);
    drawing_pits(paper);
    fputs("<g id=\"road\">\n", paper->out);
    draw_road(paper, &paper->lap, 0, drawing_surface_colour(def->road_surface));
    draw_strips(paper, NULL, false);
    fputs("</g>\n", paper->out);
}

static void draw_map(const drawing_paper *paper) {
    const char *road = drawing_surface_colour(paper->sheet->def->road_surface);
    draw_ground(paper);
    fputs("<g id=\"walls\">\n", paper->out);
    draw_walls(paper, paper->sheet->figures->crossing_count);
    draw_posts(paper);
    fputs("</g>\n", paper->out);
    for (uint32_t i = 0; i < paper->sheet->figures->crossing_count; i++) {
        apex_track_stretch bridge = bridge_of(paper, i);
        fputs("<g class=\"bridge\">\n", paper->out);
        draw_road(paper, &bridge, PARAPET_M, "#2c2e31");
        draw_road(paper, &bridge, 0, road);
        draw_strips(paper, &bridge, true);
        draw_strips(paper, &bridge, false);
        draw_walls(paper, i);
        fputs("</g>\n", paper->out);
    }
}

static bool sample_lap(drawing_paper *paper) {
    const apex_track *track = paper->sheet->track;
    double way_m = paper->lap.to_m - paper->lap.from_m;
    paper->spots = calloc((size_t)(way_m / STEP_M_MIN) + 4, sizeof *paper->spots);
    if (paper->spots == NULL) {
        return false;
    }
    double s_m = paper->lap.from_m;
    while (s_m < paper->lap.to_m) {
        apex_track_spot spot = apex_track_spot_at(track, s_m);
        paper->spots[paper->spot_count++] = spot;
        // A long step must not run into a bend.
        double next_per_m = apex_track_frame_at(track, s_m + STEP_M_MAX).curvature_per_m;
        double bend_per_m =
            drawing_max(drawing_size(spot.frame.curvature_per_m), drawing_size(next_per_m));
        double step_m = STEP_RAD / drawing_max(bend_per_m, 1e-6);
        s_m += drawing_min(drawing_max(step_m, STEP_M_MIN), STEP_M_MAX);
    }
    if (way_m > 0 && !apex_track_closed(track)) {
        paper->spots[paper->spot_count++] = apex_track_spot_at(track, paper->lap.to_m);
    }
    return true;
}

static void look_at(drawing_paper *paper, double x_m, double y_m) {
    paper->low_x_m = drawing_min(paper->low_x_m, x_m);
    paper->high_x_m = drawing_max(paper->high_x_m, x_m);
    paper->low_y_m = drawing_min(paper->low_y_m, y_m);
    paper->high_y_m = drawing_max(paper->high_y_m, y_m);
}

static void look_at_road(drawing_paper *paper) {
    const apex_track_def *def = paper->sheet->def;
    const apex_track_pit_lane *lane = &def->pit_lane;
    double pits_m = lane->given ? lane->distance_m + lane->width_m + lane->box_depth_m : 0;
    double verge_m = paper->sheet->figures->has_terrain ? 0 : drawing_max(def->verge_m, pits_m);
    double beside_m = verge_m + paper->sheet->figures->widest_m;
    for (uint32_t i = 0; i < paper->spot_count; i++) {
        const apex_track_frame *at = &paper->spots[i].frame;
        look_at(paper, at->x_m - beside_m, at->y_m - beside_m);
        look_at(paper, at->x_m + beside_m, at->y_m + beside_m);
    }
}

static void fit(drawing_paper *paper) {
    const apex_terrain *map = &paper->sheet->def->terrain;
    const apex_walls *walls = apex_track_walls(paper->sheet->track);
    bool has_terrain = paper->sheet->figures->has_terrain;
    paper->low_x_m = paper->high_x_m = has_terrain ? map->x_m : paper->spots[0].frame.x_m;
    paper->low_y_m = paper->high_y_m = has_terrain ? map->y_m : paper->spots[0].frame.y_m;
    if (has_terrain) {
        look_at(paper, map->x_m + paper->sheet->figures->east_m,
                map->y_m + paper->sheet->figures->north_m);
    }
    look_at_road(paper);
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        look_at(paper, walls->segments[i].from_x_m, walls->segments[i].from_y_m);
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        look_at(paper, walls->posts[i].x_m, walls->posts[i].y_m);
    }
    double wide_m = paper->high_x_m - paper->low_x_m;
    double deep_m = paper->high_y_m - paper->low_y_m;
    paper->unit_m = drawing_max(wide_m, deep_m) / UNITS;
    double margin_m = MARGIN_UNITS * paper->unit_m;
    // Title and legend want their width, however narrow the track is.
    double more_m = drawing_max(0.5 * (0.6 * UNITS * paper->unit_m - wide_m), 0);
    paper->low_x_m -= margin_m + more_m;
    paper->high_x_m += margin_m + more_m;
    paper->low_y_m -= margin_m;
    paper->high_y_m += margin_m + 6 * paper->unit_m;
}

static void draw_sheet(const drawing_paper *paper) {
    double wide_m = paper->high_x_m - paper->low_x_m;
    double map_m = paper->high_y_m - paper->low_y_m;
    double deep_m = map_m + drawing_captions_m(paper);
    fprintf(paper->out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.2f %.2f\" width=\"1200\" "
            "height=\"%.0f\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"%.2f\" "
            "fill=\"#2c2e31\">\n<title>",
            wide_m, deep_m, 1200 * deep_m / wide_m, 1.7 * paper->unit_m);
    drawing_print_text(paper->out, paper->sheet->def->title);
    fprintf(paper->out,
            "</title>\n<rect width=\"%.2f\" height=\"%.2f\" fill=\"#f6f3ea\"/>\n"
            "<rect width=\"%.2f\" height=\"%.2f\" fill=\"%s\" fill-opacity=\"0.3\"/>\n",
            wide_m, deep_m, wide_m, map_m,
            drawing_surface_colour(paper->sheet->def->outside_surface));
    draw_map(paper);
    drawing_marks(paper);
    drawing_captions(paper, map_m);
    fputs("</svg>\n", paper->out);
}

apex_err apex_track_draw_svg(const apex_track_sheet *sheet, FILE *out) {
    drawing_paper paper = {.out = out, .sheet = sheet};
    if (sheet->figures->has_lap) {
        paper.lap = apex_track_extent(sheet->track);
    }
    if (!sample_lap(&paper)) {
        return APEX_ERR_NO_MEMORY;
    }
    fit(&paper);
    draw_sheet(&paper);
    free(paper.spots);
    return fflush(out) == 0 && ferror(out) == 0 ? APEX_OK : APEX_ERR_IO;
}
