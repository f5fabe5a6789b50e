/// The check of ground and walls before a world takes them.
#pragma once

#include <stdbool.h>

#include "physics/ground_def.h"

bool physics_ground_is_valid(const apex_ground *ground); ///< NULL is not
bool physics_walls_are_valid(const apex_walls *walls);
