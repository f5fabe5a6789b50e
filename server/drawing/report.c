// A track's figures as text and as JSON.

#include "drawing_private.h"

#include "base/trig.h"

#define DEGREES_PER_RADIAN (180.0 / APEX_PI)

static double percent(double ratio) {
    return 100 * ratio;
}

// --- Text ---------------------------------------------------------------------------------------

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

void apex_track_report_text(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    const apex_track_def *def = sheet->def;
    fprintf(out, "%s (%s)%s%s\n\n", def->title, def->name, def->author[0] != '\0' ? ", by " : "",
            def->author);
    fprintf(out, "length        %.1f m, %s\n", figures->length_m,
            def->closed ? "a lap" : "from line to line");
    fprintf(out, "road          %.1f to %.1f m wide, %s\n", figures->narrowest_m, figures->widest_m,
            def->road_surface);
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
    text_amounts(sheet, out);
    text_sectors(sheet, out);
    fprintf(out, "grid          %u boxes, %u columns, %g m apart\n", figures->grid_boxes,
            def->grid.columns, def->grid.spacing_m);
    fprintf(out, "memory        %.1f MB, laid in %.0f ms\n", (double)figures->memory_bytes / 1e6,
            figures->lay_s * 1e3);
}

// --- JSON ---------------------------------------------------------------------------------------

static void json_text(FILE *out, const char *text) {
    fputc('"', out);
    for (const unsigned char *at = (const unsigned char *)text; *at != 0; at++) {
        if (*at == '"' || *at == '\\') {
            fprintf(out, "\\%c", *at);
        } else if (*at < 0x20) {
            fprintf(out, "\\u%04x", *at);
        } else {
            fputc(*at, out);
        }
    }
    fputc('"', out);
}

static void json_number(FILE *out, const char *name, double value) {
    fprintf(out, "  \"%s\": %.10g,\n", name, value);
}

static void json_head(const apex_track_sheet *sheet, FILE *out) {
    fputs("{\n  \"track\": ", out);
    json_text(out, sheet->def->name);
    fputs(",\n  \"title\": ", out);
    json_text(out, sheet->def->title);
    fputs(",\n  \"author\": ", out);
    json_text(out, sheet->def->author);
    fprintf(out, ",\n  \"closed\": %s,\n", sheet->def->closed ? "true" : "false");
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
    fputs("},\n  \"sector_end_m\": [", out);
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

void apex_track_report_json(const apex_track_sheet *sheet, FILE *out) {
    const apex_track_figures *figures = sheet->figures;
    json_head(sheet, out);
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
    json_amounts(sheet, out);
    json_number(out, "posts", apex_track_walls(sheet->track)->post_count);
    json_number(out, "grid_boxes", figures->grid_boxes);
    json_number(out, "memory_bytes", (double)figures->memory_bytes);
    fprintf(out, "  \"lay_ms\": %.1f\n}\n", figures->lay_s * 1e3);
}
