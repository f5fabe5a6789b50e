// Ground and walls are checked before a world takes them: every index leads somewhere, every number
// is in range.

#include "physics/ground/definition_check.h"

static bool is_between(double value, double low, double high) {
    return value >= low && value <= high; // false for what is not a number
}

static bool is_tile_valid(const apex_ground *ground, uint32_t index) {
    const apex_ground_tile *tile = &ground->tiles[index];
    // Layers are stored upwards, so that a walk along them ends.
    if (tile->above != APEX_GROUND_NONE &&
        (tile->above >= ground->tile_count || tile->above <= index)) {
        return false;
    }
    for (uint32_t row = 0; row < APEX_GROUND_CELLS; row++) {
        for (uint32_t column = 0; column < APEX_GROUND_CELLS; column++) {
            if (tile->surface[row][column] >= ground->surface_count) {
                return false;
            }
        }
    }
    for (uint32_t row = 0; row < APEX_GROUND_NODES; row++) {
        for (uint32_t column = 0; column < APEX_GROUND_NODES; column++) {
            if (!is_between((double)tile->height_m[row][column], -1e5, 1e5)) {
                return false;
            }
        }
    }
    return true;
}

bool physics_ground_is_valid(const apex_ground *ground) {
    if (ground == NULL || ground->surfaces == NULL || ground->surface_count == 0 ||
        ground->surface_count > APEX_SURFACES_MAX ||
        ground->outside_surface >= ground->surface_count ||
        !is_between(ground->outside_height_m, -1e5, 1e5)) {
        return false;
    }
    uint64_t places = (uint64_t)ground->width * ground->depth;
    if ((places > 0 && ground->directory == NULL) ||
        (ground->tile_count > 0 && ground->tiles == NULL)) {
        return false;
    }
    for (uint64_t place = 0; place < places; place++) {
        uint32_t tile = ground->directory[place];
        if (tile != APEX_GROUND_NONE && tile >= ground->tile_count) {
            return false;
        }
    }
    for (uint32_t tile = 0; tile < ground->tile_count; tile++) {
        if (!is_tile_valid(ground, tile)) {
            return false;
        }
    }
    return true;
}

static bool is_neighbour(uint32_t index, uint32_t count) {
    return index == APEX_GROUND_NONE || index < count;
}

bool physics_walls_are_valid(const apex_walls *walls) {
    const double FAR_M = 1e6;
    for (uint32_t i = 0; i < walls->segment_count; i++) {
        const apex_wall_segment *s = &walls->segments[i];
        if (!is_between(s->from_x_m, -FAR_M, FAR_M) || !is_between(s->from_y_m, -FAR_M, FAR_M) ||
            !is_between(s->to_x_m, -FAR_M, FAR_M) || !is_between(s->to_y_m, -FAR_M, FAR_M) ||
            !(s->base_m <= s->top_m) || s->material >= walls->material_count ||
            !is_neighbour(s->previous, walls->segment_count) ||
            !is_neighbour(s->next, walls->segment_count)) {
            return false;
        }
    }
    for (uint32_t i = 0; i < walls->post_count; i++) {
        const apex_wall_post *p = &walls->posts[i];
        if (!is_between(p->x_m, -FAR_M, FAR_M) || !is_between(p->y_m, -FAR_M, FAR_M) ||
            !is_between(p->radius_m, 0.0, 100.0) || !(p->base_m <= p->top_m) ||
            p->material >= walls->material_count) {
            return false;
        }
    }
    return true;
}
