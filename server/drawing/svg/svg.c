// The picture: ground, road and walls with their true widths, from below to above.
#include <stdlib.h>

#include "drawing/min_max.h"
#include "drawing/svg/paper.h"
#include "drawing/svg/svg_captions.h"
#include "drawing/svg/svg_marks.h"
#include "drawing/svg/svg_pits.h"
#include "drawing/svg/svg_road.h"
#include "drawing/svg/svg_terrain.h"
#include "drawing/svg/svg_walls.h"

// Places along the lap are as close as the bend wants.
#define STEP_M_MIN   2.5
#define STEP_M_MAX   15.0
#define STEP_RAD     0.04
#define PARAPET_M    1.2 // of a bridge, beside its road
#define MARGIN_UNITS 7.0
#define UNITS        110.0 // on the longer side

// A course is shown on the terrain that it lies on, which shines through.
static void draw_ground(const drawing_paper *paper) {
    const apex_track_def *def = paper->sheet->def;
    const apex_track_figures *figures = paper->sheet->figures;
    if (figures->has_terrain) {
        drawing_terrain(paper);
        if (figures->has_lap) {
            fputs("<g id=\"road\" fill-opacity=\"0.35\">\n", paper->out);
            drawing_road(paper, &paper->lap, 0, "#ffffff");
            fputs("</g>\n", paper->out);
        }
        return;
    }
    fputs("<g id=\"ground\">\n", paper->out);
    drawing_road(paper, &paper->lap, def->verge_m, drawing_surface_colour(def->verge_surface));
    drawing_strips(paper, NULL, true);
    fputs("</g>\n", paper->out);
    drawing_pits(paper);
    fputs("<g id=\"road\">\n", paper->out);
    drawing_road(paper, &paper->lap, 0, drawing_surface_colour(def->road_surface));
    drawing_strips(paper, NULL, false);
    fputs("</g>\n", paper->out);
}

static void draw_map(const drawing_paper *paper) {
    const char *road = drawing_surface_colour(paper->sheet->def->road_surface);
    draw_ground(paper);
    fputs("<g id=\"walls\">\n", paper->out);
    drawing_walls(paper, paper->sheet->figures->crossing_count);
    drawing_posts(paper);
    fputs("</g>\n", paper->out);
    for (uint32_t i = 0; i < paper->sheet->figures->crossing_count; i++) {
        apex_track_stretch bridge = drawing_bridge_of(paper, i);
        fputs("<g class=\"bridge\">\n", paper->out);
        drawing_road(paper, &bridge, PARAPET_M, "#2c2e31");
        drawing_road(paper, &bridge, 0, road);
        drawing_strips(paper, &bridge, true);
        drawing_strips(paper, &bridge, false);
        drawing_walls(paper, i);
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
