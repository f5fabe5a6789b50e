// Whose box is which.
#include "race/pits/pit_boxes.h"

#include "track/track.h"

#include "base/assert.h"

#include <string.h>

static uint32_t box_of_team(const race_box_holder holders[], uint32_t count, const char *team) {
    for (uint32_t i = 0; i < count; i++) {
        if (holders[i].team != NULL && holders[i].box1 != 0 && strcmp(holders[i].team, team) == 0) {
            return holders[i].box1;
        }
    }
    return 0;
}

uint32_t race_box_choose(uint32_t box_count, const race_box_holder holders[], uint32_t count,
                         const char *team) {
    APEX_ASSERT(box_count <= APEX_TRACK_PIT_BOXES_MAX);
    if (box_count == 0) {
        return 0;
    }
    uint32_t box1 = team != NULL && team[0] != '\0' ? box_of_team(holders, count, team) : 0;
    if (box1 != 0) {
        return box1;
    }
    uint32_t held[APEX_TRACK_PIT_BOXES_MAX + 1] = {0};
    for (uint32_t i = 0; i < count; i++) {
        APEX_ASSERT(holders[i].box1 <= box_count);
        held[holders[i].box1]++;
    }
    box1 = 1;
    for (uint32_t i = 2; i <= box_count; i++) {
        box1 = held[i] < held[box1] ? i : box1;
    }
    return box1;
}
