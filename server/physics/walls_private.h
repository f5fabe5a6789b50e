/// The inside of the walls, between the grid that finds them and the contacts they give.
#pragma once

#include "physics/contact_private.h"

struct physics_walls {
    const apex_walls *from;
    double first_x_m, first_y_m, cell_m;
    uint32_t columns, rows;
    uint32_t *starts; ///< [cell] into items; one more at the end
    uint32_t *items;  ///< segments, then posts from segment_count on; NULL if there are none
};
