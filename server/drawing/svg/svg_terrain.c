// A terrain's surfaces from above, and over them light and shade: the sun stands in the north-west.
#include "drawing/svg/svg_terrain.h"

#include "drawing/min_max.h"

// More nodes to a side are drawn as squares of several: nobody sees them.
#define SQUARES_MAX 256u
// Steeper slopes towards the light are brighter, by this rise of a metre.
#define GENTLE 0.04
#define STEEP  0.20

enum { SHADES = 5 };

typedef struct terrain_sheet {
    const drawing_paper *paper;
    const apex_terrain *map;
    uint32_t stride; ///< nodes to a square's side
} terrain_sheet;

/// The kind of a square, to be drawn with others of its kind.
typedef uint32_t (*square_kind)(const terrain_sheet *on, uint32_t column, uint32_t row);

static double height_m(const apex_terrain *map, uint32_t column, uint32_t row) {
    return map->low_m + map->step_m * map->heights[row * map->columns + column];
}

static uint32_t surface_of(const terrain_sheet *on, uint32_t column, uint32_t row) {
    return on->map->surface_map != NULL ? on->map->surface_map[row * on->map->columns + column] : 0;
}

// 0 the darkest; in the middle what is level.
static uint32_t shade_of(const terrain_sheet *on, uint32_t column, uint32_t row) {
    const apex_terrain *map = on->map;
    uint32_t west = column > on->stride ? column - on->stride : 0;
    uint32_t south = row > on->stride ? row - on->stride : 0;
    uint32_t east = column + on->stride < map->columns ? column + on->stride : map->columns - 1;
    uint32_t north = row + on->stride < map->rows ? row + on->stride : map->rows - 1;
    double eastwards =
        (height_m(map, east, row) - height_m(map, west, row)) / ((east - west) * map->cell_m);
    double northwards = (height_m(map, column, north) - height_m(map, column, south)) /
                        ((north - south) * map->cell_m);
    double bright = eastwards - northwards;
    return bright < -STEEP    ? 0
           : bright < -GENTLE ? 1
           : bright <= GENTLE ? 2
           : bright <= STEEP  ? 3
                              : 4;
}

// Ground is like its nearest node: a square reaches half a cell to all sides, but not off the map.
static void print_run(const terrain_sheet *on, const uint32_t run[2], uint32_t row) {
    const apex_terrain *map = on->map;
    double east_m = (map->columns - 1) * map->cell_m;
    double north_m = (map->rows - 1) * map->cell_m;
    double side_m = on->stride * map->cell_m;
    double from_x_m = drawing_max(run[0] * map->cell_m - 0.5 * map->cell_m, 0);
    double to_x_m = drawing_min((run[1] - 0.5) * map->cell_m, east_m);
    double from_y_m = drawing_max((row - 0.5) * map->cell_m, 0);
    double to_y_m = drawing_min((row - 0.5) * map->cell_m + side_m, north_m);
    if (to_x_m > from_x_m && to_y_m > from_y_m) {
        fprintf(on->paper->out, "M%.2f %.2fh%.2fv%.2fh%.2fz",
                drawing_right(on->paper, map->x_m + from_x_m),
                drawing_down(on->paper, map->y_m + to_y_m), to_x_m - from_x_m, to_y_m - from_y_m,
                from_x_m - to_x_m);
    }
}

static void draw_kind(const terrain_sheet *on, square_kind kind_of, uint32_t kind,
                      const char *attributes) {
    const apex_terrain *map = on->map;
    bool any = false;
    for (uint32_t row = 0; row < map->rows; row += on->stride) {
        uint32_t column = 0;
        while (column < map->columns) {
            uint32_t run[2] = {column, column};
            while (run[1] < map->columns && kind_of(on, run[1], row) == kind) {
                run[1] += on->stride;
            }
            if (run[1] > run[0]) {
                if (!any) {
                    fprintf(on->paper->out, "<path %s d=\"", attributes);
                }
                any = true;
                run[1] = run[1] < map->columns ? run[1] : map->columns;
                print_run(on, run, row);
            }
            column = run[1] > run[0] ? run[1] : column + on->stride;
        }
    }
    fputs(any ? "\"/>\n" : "", on->paper->out);
}

static void draw_surfaces(const terrain_sheet *on) {
    uint32_t count = on->map->surface_map != NULL ? on->map->surface_count : 1;
    for (uint32_t i = 0; i < count; i++) {
        char attributes[48];
        const char *name = on->map->surface_map != NULL ? on->map->surfaces[i]
                                                        : on->paper->sheet->def->road_surface;
        snprintf(attributes, sizeof attributes, "fill=\"%s\"", drawing_surface_colour(name));
        draw_kind(on, surface_of, i, attributes);
    }
}

void drawing_terrain(const drawing_paper *paper) {
    static const char *const shades[SHADES] = {
        "fill=\"#000000\" fill-opacity=\"0.35\"", "fill=\"#000000\" fill-opacity=\"0.15\"", NULL,
        "fill=\"#ffffff\" fill-opacity=\"0.15\"", "fill=\"#ffffff\" fill-opacity=\"0.35\""};
    const apex_terrain *map = &paper->sheet->def->terrain;
    uint32_t side = map->columns > map->rows ? map->columns : map->rows;
    terrain_sheet on = {paper, map, (side + SQUARES_MAX - 1) / SQUARES_MAX};
    fputs("<g id=\"terrain\" shape-rendering=\"crispEdges\">\n", paper->out);
    draw_surfaces(&on);
    fputs("</g>\n<g id=\"relief\" shape-rendering=\"crispEdges\">\n", paper->out);
    for (uint32_t i = 0; i < SHADES; i++) {
        if (shades[i] != NULL) {
            draw_kind(&on, shade_of, i, shades[i]);
        }
    }
    fputs("</g>\n", paper->out);
}
