// A track's figures as text and as JSON.
#include "drawing/drawing.h"

#include "base/json_text.h"
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
    fprintf(out, "%s (%s)%s%s\n\n", def->title, def->name, def->author[0] != '\0' ? ", by " : "",
            def->author);
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

static void json_number(FILE *out, const char *name, double value) {
    fprintf(out, "  \"%s\": %.10g,\n", name, value);
}

static void json_head(const apex_track_sheet *sheet, FILE *out) {
    fputs("{\n  \"track\": ", out);
    apex_json_text(out, sheet->def->name);
    fputs(",\n  \"title\": ", out);
    apex_json_text(out, sheet->def->title);
    fputs(",\n  \"author\": ", out);
    apex_json_text(out, sheet->def->author);
    fprintf(out, ",\n  \"has_lap\": %s,\n", sheet->figures->has_lap ? "true" : "false");
}

static void json_amounts(const apex_track_sheet *sheet, FILE *out) {
    const apex_ground *ground = apex_track_ground(sheet->track);
    const apex_walls *walls = apex_track_walls(sheet->track);
    const char *comma = "";
    fputs("  \"surfaces_m2\": {", out);
    for (uint32_t i = 0; i < ground->surface_count; i++) {
        if (sheet->figures->surface_m2[i] > 0) {
            fprintf(out, "%s\"%s\": %.10g", comma, ground->surfaces[i].name,
                    sheet->figures->surface_m2[i]);
            comma = ", ";
        }
    }
    fputs("},\n  \"walls_m\": {", out);
    comma = "";
    for (uint32_t i = 0; i < walls->material_count; i++) {
        if (sheet->figures->wall_m[i] > 0) {
            fprintf(out, "%s\"%s\": %.10g", comma, walls->materials[i].name,
                    sheet->figures->wall_m[i]);
            comma = ", ";
        }
    }
    fputs("},\n", out);
}

static void json_terrain(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    if (!figures->has_terrain) {
        fputs("  \"terrain\": null,\n", out);
        return;
    }
    fprintf(out,
            "  \"terrain\": {\"east_m\": %.10g, \"north_m\": %.10g, \"cell_m\": %.10g, "
            "\"low_m\": %.10g, \"high_m\": %.10g},\n",
            figures->east_m, figures->north_m, sheet->def->terrain.cell_m, figures->ground_low_m,
            figures->ground_high_m);
}

static void json_pits(const apex_track_sheet *sheet, FILE *out) {
    apex_track_pits pits = apex_track_pits_of(sheet->track);
    if (!pits.exists) {
        fputs("  \"pit_lane\": null,\n", out);
        return;
    }
    fprintf(out,
            "  \"pit_lane\": {\"side\": \"%s\", \"entry_m\": %.10g, \"exit_m\": %.10g, "
            "\"length_m\": %.10g, \"speed_limit_mps\": %.10g, \"boxes\": %u},\n",
            side_name(pits.side), pits.entry_s_m, pits.exit_s_m, pits.length_m,
            pits.speed_limit_mps, pits.box_count);
}

static void json_places(const apex_track_sheet *sheet, FILE *out) {
    fputs("  \"sector_end_m\": [", out);
    for (uint32_t i = 0; i < apex_track_sector_count(sheet->track); i++) {
        fprintf(out, "%s%.10g", i > 0 ? ", " : "", apex_track_sector_end_m(sheet->track, i));
    }
    fputs("],\n  \"crossings\": [", out);
    for (uint32_t i = 0; i < sheet->figures->crossing_count; i++) {
        const apex_track_crossing *at = &sheet->figures->crossings[i];
        fprintf(out, "%s{\"upper_m\": %.10g, \"lower_m\": %.10g, \"height_m\": %.10g}",
                i > 0 ? ", " : "", at->upper_s_m, at->lower_s_m, at->height_m);
    }
    fputs("],\n", out);
}

// What only a lap has: left out where there is none.
static void json_lap(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    fprintf(out, "  \"closed\": %s,\n", sheet->def->closed ? "true" : "false");
    json_number(out, "length_m", figures->length_m);
    json_number(out, "narrowest_m", figures->narrowest_m);
    json_number(out, "widest_m", figures->widest_m);
    json_number(out, "lowest_m", figures->lowest_m);
    json_number(out, "highest_m", figures->highest_m);
    json_number(out, "climb_m", figures->climb_m);
    json_number(out, "steepest", figures->steepest);
    json_number(out, "banking_deg", figures->banking_rad_max * DEGREES_PER_RADIAN);
    json_number(out, "left_bends", figures->left_bends);
    json_number(out, "right_bends", figures->right_bends);
    json_number(out, "tightest_m", figures->tightest_m);
    json_places(sheet, out);
    json_pits(sheet, out);
}

void apex_track_report_json(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    json_head(sheet, out);
    if (figures->has_lap) {
        json_lap(sheet, out);
    }
    json_terrain(sheet, out);
    json_amounts(sheet, out);
    json_number(out, "posts", apex_track_walls(sheet->track)->post_count);
    json_number(out, "grid_boxes", figures->grid_boxes);
    json_number(out, "memory_bytes", (double)figures->memory_bytes);
    fprintf(out, "  \"lay_ms\": %.1f\n}\n", figures->lay_s * 1e3);
}
