#include "track/track_private.h"

apex_err track_lay_walls(const apex_track_def *def, apex_track *track, apex_def_problem *problem) {
    (void)def;
    (void)problem;
    track->walls =
        (apex_walls){.materials = track->materials, .material_count = track->material_count};
    return APEX_OK;
}
