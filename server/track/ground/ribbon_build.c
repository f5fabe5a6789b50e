// The cross-section's surfaces, strips and level of the outside, gathered from the definition.
#include "track/ground/ribbon_build.h"

#include <stdlib.h>

#include "base/assert.h"
#include "track/definition/refuse.h"
#include "track/definition/surfaces.h"
#include "track/ground/shoulders.h"

static apex_err find_surface(const apex_track *track, const char *name, uint8_t *out) {
    int index = track_find_surface(track, name);
    if (index < 0) {
        return APEX_ERR_INVALID;
    }
    *out = (uint8_t)index;
    return APEX_OK;
}

static apex_err resolve(const apex_track_def *def, track_ribbon *ribbon,
                        apex_def_problem *problem) {
    const struct {
        const char *field, *name;
        uint8_t *out;
    } grounds[] = {
        {"road_surface", def->road_surface, &ribbon->road_surface},
        {"verge_surface", def->verge_surface, &ribbon->verge_surface},
        {"outside_surface", def->outside_surface, &ribbon->outside_surface},
    };
    for (size_t i = 0; i < sizeof grounds / sizeof grounds[0]; i++) {
        if (find_surface(ribbon->track, grounds[i].name, grounds[i].out) != APEX_OK) {
            return track_refuse(problem, "%s: no surface is called '%s'", grounds[i].field,
                                grounds[i].name);
        }
    }
    if (def->pit_lane.given) {
        ribbon->pit_surface = (uint8_t)track_find_surface(ribbon->track, def->pit_lane.surface);
    }
    ribbon->strip_count = def->strip_count;
    for (uint32_t i = 0; i < def->strip_count; i++) {
        track_ribbon_strip *strip = &ribbon->strips[i];
        strip->def = &def->strips[i];
        strip->whole_lap = strip->def->from_m <= 0 && strip->def->to_m <= 0;
        if (find_surface(ribbon->track, strip->def->surface, &strip->surface) != APEX_OK) {
            return track_refuse(problem, "strips[%u].surface: no surface is called '%s'", i,
                                strip->def->surface);
        }
    }
    return APEX_OK;
}

static bool mark_active(track_ribbon *ribbon, uint32_t segment) {
    double from_m = track_ribbon_along_m(ribbon, segment, 0);
    double to_m = track_ribbon_along_m(ribbon, segment, 1);
    for (uint32_t i = 0; i < ribbon->strip_count; i++) {
        const apex_track_strip *strip = ribbon->strips[i].def;
        bool begins = from_m <= to_m ? strip->from_m >= from_m && strip->from_m <= to_m
                                     : strip->from_m >= from_m || strip->from_m <= to_m;
        bool touches = ribbon->strips[i].whole_lap || begins || track_strip_covers(strip, from_m) ||
                       track_strip_covers(strip, to_m);
        if (touches && ribbon->active_count[segment] == TRACK_ACTIVE_MAX) {
            return false;
        }
        if (touches) {
            ribbon->active[segment][ribbon->active_count[segment]++] = (uint8_t)i;
        }
    }
    return true;
}

static apex_err mark_all_active(track_ribbon *ribbon, apex_def_problem *problem) {
    for (uint32_t i = 0; i < ribbon->track->segment_count; i++) {
        if (!mark_active(ribbon, i)) {
            return track_refuse(problem, "strips: more than %d lie side by side at %.0f m",
                                TRACK_ACTIVE_MAX, track_ribbon_along_m(ribbon, i, 0));
        }
    }
    return APEX_OK;
}

static int rising(const void *a, const void *b) {
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

// The outside lies level with the middle one of all stations: half of the road runs on banks and
// half in cuttings, and a bridge over a flat circuit does not lift its surroundings as it would
// with the mean.
static apex_err find_outside(track_ribbon *ribbon) {
    uint32_t count = ribbon->track->station_count;
    double *heights_m = calloc(count, sizeof *heights_m);
    if (heights_m == NULL) {
        return APEX_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        heights_m[i] = ribbon->track->stations[i].z_m;
    }
    qsort(heights_m, count, sizeof *heights_m, rising);
    // Minus zero and zero are equal to the sort, so which of them stands here is its own affair.
    ribbon->outside_m = heights_m[count / 2] + 0.0;
    free(heights_m);
    return APEX_OK;
}

apex_err track_ribbon_create(const apex_track_def *def, const apex_track *track,
                             track_ribbon *ribbon, apex_def_problem *problem) {
    APEX_ASSERT(track->station_count >= 2 && track->segment_count > 0);
    ribbon->track = track;
    apex_err err = resolve(def, ribbon, problem);
    if (err != APEX_OK) {
        return err;
    }
    ribbon->shoulders = calloc((size_t)track->station_count * 2, sizeof *ribbon->shoulders);
    ribbon->active = calloc(track->segment_count, sizeof *ribbon->active);
    ribbon->active_count = calloc(track->segment_count, sizeof *ribbon->active_count);
    if (ribbon->shoulders == NULL || ribbon->active == NULL || ribbon->active_count == NULL) {
        track_ribbon_destroy(ribbon);
        return APEX_ERR_NO_MEMORY;
    }
    ribbon->first_u_m = track->closed ? def->start_m : 0;
    ribbon->verge_m = def->verge_m;
    ribbon->roughness_seed = def->roughness_seed;
    err = find_outside(ribbon);
    if (err == APEX_OK) {
        err = mark_all_active(ribbon, problem);
    }
    if (err != APEX_OK) {
        track_ribbon_destroy(ribbon);
        return err;
    }
    track_ribbon_shape(ribbon);
    return APEX_OK;
}

void track_ribbon_destroy(track_ribbon *ribbon) {
    free(ribbon->shoulders);
    free(ribbon->active);
    free(ribbon->active_count);
    ribbon->shoulders = NULL;
    ribbon->active = NULL;
    ribbon->active_count = NULL;
}
