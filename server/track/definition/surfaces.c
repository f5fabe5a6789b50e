// The built-in surfaces and wall materials, and where a definition puts its own among them.
#include "track/definition/surfaces.h"

#include <string.h>

#include "track/definition/refuse.h"

// Friction relative to dry asphalt: wet 0.7, gravel 0.55, snow 0.25 and ice 0.12 are mid-range
// values of road-safety tables (Wong, "Theory of Ground Vehicles", ch. 1); rolling ratios follow
// the coefficients of the same chapter over asphalt's 0.013. Ploughing is what makes a gravel trap
// trap: at 20 m/s, 45 N s/m a wheel slow a 1,400 kg car by 2.6 m/s2 beside the friction.
static const apex_surface_def surfaces[] = {
    {"asphalt", 1.00, 1.0, 0.0, 0.000, true},  {"wet-asphalt", 0.70, 1.1, 2.0, 0.000, true},
    {"concrete", 0.95, 1.0, 0.0, 0.001, true}, {"kerb", 0.90, 1.2, 0.0, 0.004, true},
    {"grass", 0.60, 4.0, 6.0, 0.015, false},   {"gravel", 0.55, 12.0, 45.0, 0.020, false},
    {"sand", 0.50, 20.0, 60.0, 0.020, false},  {"mud", 0.40, 15.0, 35.0, 0.025, false},
    {"earth", 0.68, 4.0, 4.0, 0.020, false},   {"snow", 0.25, 3.0, 12.0, 0.010, false},
    {"ice", 0.12, 1.0, 0.0, 0.002, false},
};

static const apex_wall_material materials[] = {
    {"concrete", 0.15, 0.45},
    {"tyre-wall", 0.05, 0.90},
    {"guard-rail", 0.25, 0.30},
    {"plastic", 0.30, 0.35},
};

#define SURFACE_COUNT  ((int)(sizeof surfaces / sizeof surfaces[0]))
#define MATERIAL_COUNT ((int)(sizeof materials / sizeof materials[0]))

_Static_assert(SURFACE_COUNT < APEX_SURFACES_MAX, "a track needs room for surfaces of its own");
_Static_assert(MATERIAL_COUNT < APEX_WALL_MATERIALS_MAX, "and for materials of its own");

int track_find_surface(const apex_track *track, const char *name) {
    for (uint32_t i = 0; i < track->surface_count; i++) {
        if (strcmp(track->surfaces[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

int track_find_material(const apex_track *track, const char *name) {
    for (uint32_t i = 0; i < track->material_count; i++) {
        if (strcmp(track->materials[i].name, name) == 0) {
            return (int)i;
        }
    }
    return -1;
}

apex_err track_collect_surfaces(const apex_track_def *def, apex_track *track,
                                apex_def_problem *problem) {
    memcpy(track->surfaces, surfaces, sizeof surfaces);
    track->surface_count = SURFACE_COUNT;
    for (uint32_t i = 0; i < def->surface_count; i++) {
        int known = track_find_surface(track, def->surfaces[i].name);
        if (known >= SURFACE_COUNT) {
            return track_refuse(problem, "surfaces[%u].name: there are two called '%s'", i,
                                def->surfaces[i].name);
        }
        if (known < 0 && track->surface_count == APEX_SURFACES_MAX) {
            return track_refuse(problem,
                                "surfaces[%u]: more than the %d that fit beside the built-in", i,
                                APEX_SURFACES_MAX - SURFACE_COUNT);
        }
        track->surfaces[known < 0 ? track->surface_count++ : (uint32_t)known] = def->surfaces[i];
    }
    return APEX_OK;
}

apex_err track_collect_materials(const apex_track_def *def, apex_track *track,
                                 apex_def_problem *problem) {
    memcpy(track->materials, materials, sizeof materials);
    track->material_count = MATERIAL_COUNT;
    for (uint32_t i = 0; i < def->material_count; i++) {
        int known = track_find_material(track, def->materials[i].name);
        if (known >= MATERIAL_COUNT) {
            return track_refuse(problem, "materials[%u].name: there are two called '%s'", i,
                                def->materials[i].name);
        }
        if (known < 0 && track->material_count == APEX_WALL_MATERIALS_MAX) {
            return track_refuse(problem,
                                "materials[%u]: more than the %d that fit beside the built-in", i,
                                APEX_WALL_MATERIALS_MAX - MATERIAL_COUNT);
        }
        track->materials[known < 0 ? track->material_count++ : (uint32_t)known] = def->materials[i];
    }
    return APEX_OK;
}
