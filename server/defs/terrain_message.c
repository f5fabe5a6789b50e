// A terrain as a message: every field, once.
#include "defs/terrain_message.h"

#include <stdlib.h>

static_assert(APEX_TERRAIN_NODES_MAX == 262144 && APEX_TERRAIN_BOXES_MAX == 64, "");

#define BOX_FIELDS(D) \
    D##_REAL(x_m);    \
    D##_REAL(y_m);    \
    D##_REAL(heading_rad);
DEFS_MESSAGE(box, Apex__TerrainBox, APEX__TERRAIN_BOX__INIT, apex_terrain_box, BOX_FIELDS)

static size_t nodes_of(const apex_terrain *plain) {
    return (size_t)plain->columns * plain->rows;
}

size_t defs_terrain_bytes(const apex_terrain *plain) {
    return 3 * nodes_of(plain) + plain->surface_count * (APEX_NAME_BYTES + 64u) +
           plain->box_count * 256u + 4096u;
}

static char **put_names(apex_arena *arena, const apex_terrain *plain) {
    char **names = defs_new(arena, plain->surface_count, sizeof *names);
    for (uint32_t i = 0; i < plain->surface_count; i++) {
        // In a list even the empty text is there.
        names[i] = defs_new(arena, 1, APEX_NAME_BYTES);
        APEX_ASSERT(memchr(plain->surfaces[i], 0, APEX_NAME_BYTES) != NULL);
        apex_wire_text(names[i], APEX_NAME_BYTES, plain->surfaces[i]);
    }
    return names;
}

static bool get_names(const defs_place *place, const Apex__TrackTerrain *pb, apex_terrain *plain) {
    if (pb->n_surfaces > APEX_SURFACES_MAX) {
        return defs_refuse(place, "surfaces", "has more than 32 elements");
    }
    for (size_t i = 0; i < pb->n_surfaces; i++) {
        size_t length = strlen(pb->surfaces[i]);
        if (length >= APEX_NAME_BYTES || !apex_wire_text_ok(pb->surfaces[i], length)) {
            return defs_refuse(place, "surfaces", "has a name that is too long or unprintable");
        }
        memcpy(plain->surfaces[i], pb->surfaces[i], length);
    }
    plain->surface_count = (uint32_t)pb->n_surfaces;
    return true;
}

static ProtobufCBinaryData put_heights(apex_arena *arena, const apex_terrain *plain) {
    size_t count = nodes_of(plain);
    ProtobufCBinaryData out = {.len = 2 * count, .data = defs_new(arena, 2 * count, 1)};
    for (size_t i = 0; i < count; i++) {
        out.data[2 * i] = (uint8_t)plain->heights[i];
        out.data[2 * i + 1] = (uint8_t)(plain->heights[i] >> 8);
    }
    return out;
}

static bool get_maps(const defs_place *place, const Apex__TrackTerrain *pb, apex_terrain *plain) {
    size_t count = nodes_of(plain);
    if (pb->heights.len != 2 * count) {
        return defs_refuse(place, "heights", "is not two bytes for each node");
    }
    if (pb->surface_map.len != count && pb->surface_map.len != 0) {
        return defs_refuse(place, "surface_map", "is not a byte for each node");
    }
    plain->heights = calloc(count, sizeof plain->heights[0]);
    plain->surface_map = pb->surface_map.len > 0 ? calloc(count, 1) : NULL;
    if (plain->heights == NULL || (pb->surface_map.len > 0 && plain->surface_map == NULL)) {
        return defs_refuse(place, "heights", "finds no memory");
    }
    for (size_t i = 0; i < count; i++) {
        plain->heights[i] =
            (uint16_t)(pb->heights.data[2 * i] | (uint32_t)pb->heights.data[2 * i + 1] << 8);
    }
    if (plain->surface_map != NULL) {
        memcpy(plain->surface_map, pb->surface_map.data, count);
    }
    return true;
}

#define PUT_NAMES                          \
    pb->n_surfaces = plain->surface_count; \
    pb->surfaces = put_names(arena, plain)
#define GET_NAMES                       \
    if (!get_names(place, pb, plain)) { \
        return false;                   \
    }
#define PUT_MAPS                                                            \
    pb->has_heights = true;                                                 \
    pb->heights = put_heights(arena, plain);                                \
    pb->has_surface_map = plain->surface_map != NULL;                       \
    pb->surface_map.len = plain->surface_map != NULL ? nodes_of(plain) : 0; \
    pb->surface_map.data = plain->surface_map
#define GET_MAPS                                                             \
    if (plain->columns == 0 || plain->rows == 0 ||                           \
        (uint64_t)plain->columns * plain->rows > APEX_TERRAIN_NODES_MAX) {   \
        plain->columns = 0;                                                  \
        return defs_refuse(place, "columns", "times rows is not 1..262144"); \
    }                                                                        \
    if (!get_maps(place, pb, plain)) {                                       \
        return false;                                                        \
    }

#define TERRAIN_FIELDS(D)                 \
    D##_ANY(columns);                     \
    D##_ANY(rows);                        \
    D##_REAL(x_m);                        \
    D##_REAL(y_m);                        \
    D##_REAL(cell_m);                     \
    D##_REAL(low_m);                      \
    D##_REAL(step_m);                     \
    D##_FLAG(smooth);                     \
    D##_NAMES;                            \
    D##_PARTS(box, boxes, box_count, 64); \
    D##_MAPS;
DEFS_MESSAGE(terrain, Apex__TrackTerrain, APEX__TRACK_TERRAIN__INIT, apex_terrain, TERRAIN_FIELDS)

Apex__TrackTerrain *defs_put_terrain(apex_arena *arena, const apex_terrain *plain) {
    if (plain->columns == 0) {
        return NULL;
    }
    APEX_ASSERT(nodes_of(plain) <= APEX_TERRAIN_NODES_MAX && plain->heights != NULL);
    return put_terrain(arena, plain);
}

bool defs_get_terrain(const defs_place *place, const Apex__TrackTerrain *pb, apex_terrain *plain) {
    return pb == NULL || get_terrain(place, pb, plain);
}
