// The boxes of an event: whose is which.
#pragma once

#include <stdint.h>

// Somebody who has a box already, also one who has left: a box stays his for the event.
typedef struct race_box_holder {
    uint32_t box1;    // from 1; 0: none
    const char *team; // "" or NULL: none
} race_box_holder;

// The box of a newcomer: that of his team, else the first of those which the fewest have.
// @param team NULL or "" for one without, or where each car has its own. @return 1..box_count, 0
// where there are none
uint32_t race_box_choose(uint32_t box_count, const race_box_holder holders[], uint32_t count,
                         const char *team);
