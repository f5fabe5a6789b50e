// The road and its strips, drawn as bands.
#include "drawing/svg/svg_road.h"

#include "drawing/min_max.h"

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

/// Finds the stretch of a strip that lies in a part of the lap, NULL for all of it. @return false
/// if none does.
static bool clip(const drawing_paper *paper, const apex_track_strip *strip,
                 const apex_track_stretch *part, apex_track_stretch *out) {
    const apex_track_sheet *sheet = paper->sheet;
    double lap_m = paper->lap.to_m - paper->lap.from_m;
    apex_track_stretch along = apex_track_strip_stretch(sheet->track, sheet->def, strip);
    if (part == NULL || along.to_m - along.from_m >= lap_m) {
        *out = part != NULL ? *part : along;
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

void drawing_strips(const drawing_paper *paper, const apex_track_stretch *part, bool beside) {
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

void drawing_road(const drawing_paper *paper, const apex_track_stretch *along, double beyond_m,
                  const char *colour) {
    apex_track_band road = {
        .left = {APEX_LINE_LEFT_EDGE, beyond_m},
        .right = {APEX_LINE_RIGHT_EDGE, beyond_m},
        .along = *along,
    };
    draw_band(paper, &road, colour);
}
