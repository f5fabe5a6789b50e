// A track's figures as text and as JSON.
#include "drawing/drawing.h"

#include <math.h>

#include "base/json_writer.h"
#include "base/print.h"
#include "base/trig.h"
#include "drawing/min_max.h"

#define DEGREES_PER_RADIAN (180.0 / APEX_PI)
#define KMPH_PER_MPS       3.6

static double percent(double ratio) {
    return 100 * ratio;
}

static const char *side_name(apex_track_side side) {
    return side == APEX_SIDE_LEFT ? "left" : "right";
}

static void text_amounts(const apex_track_sheet *sheet, FILE *out) {
    const apex_ground *ground = apex_track_ground(sheet->track);
    const apex_walls *walls = apex_track_walls(sheet->track);
    fputs("surfaces      ", out);
    const char *comma = "";
    for (uint32_t i = 0; i < ground->surface_count; i++) {
        if (sheet->figures->surface_m2[i] > 0) {
            fprintf(out, "%s%s %.0f m2", comma, ground->surfaces[i].name,
                    sheet->figures->surface_m2[i]);
            comma = ", ";
        }
    }
    fprintf(out, "; %s outside\nwalls         ", sheet->def->outside_surface);
    comma = "";
    for (uint32_t i = 0; i < walls->material_count; i++) {
        if (sheet->figures->wall_m[i] > 0) {
            fprintf(out, "%s%s %.0f m", comma, walls->materials[i].name, sheet->figures->wall_m[i]);
            comma = ", ";
        }
    }
    fprintf(out, "%s, %u posts\n", comma[0] == '\0' ? "none" : "", walls->post_count);
}

static void text_sectors(const apex_track_sheet *sheet, FILE *out) {
    uint32_t count = apex_track_sector_count(sheet->track);
    fprintf(out, "sectors       %u, ending at", count);
    for (uint32_t i = 0; i < count; i++) {
        fprintf(out, "%s %.1f", i > 0 ? "," : "", apex_track_sector_end_m(sheet->track, i));
    }
    fputs(" m\n", out);
}

static void text_crossings(const apex_track_figures *figures, FILE *out) {
    fputs("crosses over  ", out);
    if (figures->crossing_count == 0) {
        fputs("itself nowhere\n", out);
    }
    for (uint32_t i = 0; i < figures->crossing_count; i++) {
        const apex_track_crossing *at = &figures->crossings[i];
        fprintf(out, "%sitself at %.0f m, %.1f m above the road at %.0f m\n",
                i > 0 ? "              " : "", at->upper_s_m, at->height_m, at->lower_s_m);
    }
}

static void text_terrain(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    const apex_terrain *map = &sheet->def->terrain;
    fprintf(out, "terrain       %.1f by %.1f m, a height every %g m, %s between them\n",
            figures->east_m, figures->north_m, map->cell_m, map->smooth ? "smooth" : "straight");
    fprintf(out, "ground        %.1f to %.1f m high\n", drawing_shown(figures->ground_low_m),
            drawing_shown(figures->ground_high_m));
}

static void text_pits(const apex_track_sheet *sheet, FILE *out) {
    apex_track_pits pits = apex_track_pits_of(sheet->track);
    if (pits.exists) {
        fprintf(out, "pit lane      %s, from %.0f to %.0f m, %.0f km/h, %u boxes\n",
                side_name(pits.side), pits.entry_s_m, pits.exit_s_m,
                pits.speed_limit_mps * KMPH_PER_MPS, pits.box_count);
    }
}

static void text_lap(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    const apex_track_def *def = sheet->def;
    fprintf(out, "length        %.1f m, %s\n", figures->length_m,
            def->closed ? "a lap" : "from line to line");
    fprintf(out, "road          %.1f to %.1f m wide, %s\n", figures->narrowest_m, figures->widest_m,
            figures->has_terrain ? "over the terrain" : def->road_surface);
    fprintf(out, "height        %.1f to %.1f m; %.1f m of climb, up to %.1f %%\n",
            drawing_shown(figures->lowest_m), drawing_shown(figures->highest_m), figures->climb_m,
            percent(figures->steepest));
    fprintf(out, "banking       up to %.1f degrees\n",
            figures->banking_rad_max * DEGREES_PER_RADIAN);
    fprintf(out, "bends         %u left, %u right", figures->left_bends, figures->right_bends);
    if (figures->tightest_m > 0) {
        fprintf(out, "; the tightest of %.0f m radius", figures->tightest_m);
    }
    fputc('\n', out);
    text_crossings(figures, out);
}

void apex_track_report_text(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    const apex_track_def *def = sheet->def;
    apex_print_line(out, "%s (%s)%s%s", def->title, def->name,
                    def->author[0] != '\0' ? ", by " : "", def->author);
    fputc('\n', out);
    if (figures->has_lap) {
        text_lap(sheet, out);
    }
    if (figures->has_terrain) {
        text_terrain(sheet, out);
    }
    text_amounts(sheet, out);
    if (figures->has_lap) {
        text_sectors(sheet, out);
        fprintf(out, "grid          %u boxes, %u columns, %g m apart\n", figures->grid_boxes,
                def->grid.columns, def->grid.spacing_m);
        text_pits(sheet, out);
    } else {
        fprintf(out, "lap           none: open sessions start from %u boxes\n",
                figures->grid_boxes);
    }
    fprintf(out, "memory        %.1f MB, laid in %.0f ms\n", (double)figures->memory_bytes / 1e6,
            figures->lay_s * 1e3);
}

static void put_number(apex_json_writer *json, const char *key, double value) {
    apex_json_number(json, key, value, 10);
}

static void put_head(apex_json_writer *json, const apex_track_sheet *sheet) {
    apex_json_text(json, "track", sheet->def->name);
    apex_json_text(json, "title", sheet->def->title);
    apex_json_text(json, "author", sheet->def->author);
    apex_json_bool(json, "has_lap", sheet->figures->has_lap);
}

static void put_amounts(apex_json_writer *json, const apex_track_sheet *sheet) {
    const apex_ground *ground = apex_track_ground(sheet->track);
    const apex_walls *walls = apex_track_walls(sheet->track);
    apex_json_open(json, "surfaces_m2", '{');
    for (uint32_t i = 0; i < ground->surface_count; i++) {
        if (sheet->figures->surface_m2[i] > 0) {
            apex_json_key(json, ground->surfaces[i].name);
            put_number(json, NULL, sheet->figures->surface_m2[i]);
        }
    }
    apex_json_close(json);
    apex_json_open(json, "walls_m", '{');
    for (uint32_t i = 0; i < walls->material_count; i++) {
        if (sheet->figures->wall_m[i] > 0) {
            apex_json_key(json, walls->materials[i].name);
            put_number(json, NULL, sheet->figures->wall_m[i]);
        }
    }
    apex_json_close(json);
}

static void put_terrain(apex_json_writer *json, const apex_track_sheet *sheet) {
    const apex_track_figures *figures = sheet->figures;
    if (!figures->has_terrain) {
        apex_json_null(json, "terrain");
        return;
    }
    apex_json_open(json, "terrain", '{');
    put_number(json, "east_m", figures->east_m);
    put_number(json, "north_m", figures->north_m);
    put_number(json, "cell_m", sheet->def->terrain.cell_m);
    put_number(json, "low_m", figures->ground_low_m);
    put_number(json, "high_m", figures->ground_high_m);
    apex_json_close(json);
}

static void put_pits(apex_json_writer *json, const apex_track_sheet *sheet) {
    apex_track_pits pits = apex_track_pits_of(sheet->track);
    if (!pits.exists) {
        apex_json_null(json, "pit_lane");
        return;
    }
    apex_json_open(json, "pit_lane", '{');
    apex_json_text(json, "side", side_name(pits.side));
    put_number(json, "entry_m", pits.entry_s_m);
    put_number(json, "exit_m", pits.exit_s_m);
    put_number(json, "length_m", pits.length_m);
    put_number(json, "speed_limit_mps", pits.speed_limit_mps);
    apex_json_count(json, "boxes", pits.box_count);
    apex_json_close(json);
}

static void put_places(apex_json_writer *json, const apex_track_sheet *sheet) {
    apex_json_open(json, "sector_end_m", '[');
    for (uint32_t i = 0; i < apex_track_sector_count(sheet->track); i++) {
        put_number(json, NULL, apex_track_sector_end_m(sheet->track, i));
    }
    apex_json_close(json);
    apex_json_open(json, "crossings", '[');
    for (uint32_t i = 0; i < sheet->figures->crossing_count; i++) {
        const apex_track_crossing *at = &sheet->figures->crossings[i];
        apex_json_open(json, NULL, '{');
        put_number(json, "upper_m", at->upper_s_m);
        put_number(json, "lower_m", at->lower_s_m);
        put_number(json, "height_m", at->height_m);
        apex_json_close(json);
    }
    apex_json_close(json);
}

// The figures that only a lap has: left out where there is none.
static void put_lap(apex_json_writer *json, const apex_track_sheet *sheet) {
    const apex_track_figures *figures = sheet->figures;
    apex_json_bool(json, "closed", sheet->def->closed);
    put_number(json, "length_m", figures->length_m);
    put_number(json, "narrowest_m", figures->narrowest_m);
    put_number(json, "widest_m", figures->widest_m);
    put_number(json, "lowest_m", figures->lowest_m);
    put_number(json, "highest_m", figures->highest_m);
    put_number(json, "climb_m", figures->climb_m);
    put_number(json, "steepest", figures->steepest);
    put_number(json, "banking_deg", figures->banking_rad_max * DEGREES_PER_RADIAN);
    apex_json_count(json, "left_bends", figures->left_bends);
    apex_json_count(json, "right_bends", figures->right_bends);
    put_number(json, "tightest_m", figures->tightest_m);
    put_places(json, sheet);
    put_pits(json, sheet);
}

void apex_track_report_json(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    apex_json_writer json = apex_json_begin(apex_text_growing(), 1);
    apex_json_open(&json, NULL, '{');
    put_head(&json, sheet);
    if (figures->has_lap) {
        put_lap(&json, sheet);
    }
    put_terrain(&json, sheet);
    put_amounts(&json, sheet);
    apex_json_count(&json, "posts", apex_track_walls(sheet->track)->post_count);
    apex_json_count(&json, "grid_boxes", figures->grid_boxes);
    apex_json_count(&json, "memory_bytes", figures->memory_bytes);
    put_number(&json, "lay_ms", round(figures->lay_s * 1e4) / 10.0);
    apex_json_close(&json);
    apex_json_print(&json, out);
}
