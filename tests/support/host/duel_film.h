/// A film of a duel, for people: an animated picture (SVG) of the same seconds as each driver saw
/// them, and as the server had them, in the road's own coordinates.
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { DUEL_FILM_FRAMES = 400 };

/// A car on the road, seen from above.
typedef struct duel_film_car {
    double along_m;   // of the lap
    double aside_m;   // to the left of the road's middle
    double askew_rad; // from the road's heading
} duel_film_car;

/// What one of three views shows in a frame.
typedef struct duel_film_view {
    bool is_there;
    duel_film_car cars[2]; // of the first driver, and of the second
    duel_film_car past;    // the rival, as he would be shown as a while ago
    bool has_past;
} duel_film_view;

enum { DUEL_FILM_LEFT, DUEL_FILM_RIGHT, DUEL_FILM_SERVER, DUEL_FILM_VIEWS };

/// Frames of the same moments: [frame][view].
typedef struct duel_film {
    size_t count;
    double fps;
    duel_film_view frames[DUEL_FILM_FRAMES][DUEL_FILM_VIEWS];
} duel_film;

/// @param length_m, width_m of the cars. @return false if it can't be written.
bool duel_film_write(const duel_film *film, double length_m, double width_m, const char *path);
