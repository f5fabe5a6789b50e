// The places where cars are put: on the grid, behind it, back on the track.
#pragma once

#include "race/field/field.h"

void race_grid_form(race_field *field, bool same_order);
void race_grid_line_up(race_field *field, uint32_t slot); // behind everybody else
void race_grid_put(race_field *field, uint32_t slot, const apex_placement *at);
void race_grid_put_back(race_field *field, uint32_t slot); // on the track
void race_grid_hold(race_field *field, uint32_t slot, bool held);
