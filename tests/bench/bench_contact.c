// links: base physics
// A benchmark of a tick of 60 Hz, on one thread, while cars crash into one heap and press on in it:
// the whole step, tyres and ground included; and contacts by themselves, between boxes that have
// neither. Processor time of the thread; medians of windows.

#include "jam_windows.h"
#include "support/physics/jam_scene.h"

#include <stdio.h>

// As many windows as fit into the time, but at least one.
enum { WINDOWS_MAX = 5 };
static const double ENOUGH_MS = 2000.0;

static double measure(measured_jam jam) {
    double windows[WINDOWS_MAX], spent_ms = 0.0;
    size_t count = 0;
    while (count < WINDOWS_MAX && spent_ms * (double)(count + 1) <= ENOUGH_MS * (double)count) {
        windows[count] = jam_window_ms(&jam);
        spent_ms += windows[count++] * JAM_TICKS;
    }
    jam_destroy(&jam);
    return windows_median(windows, count);
}

int main(int argc, char **argv) {
    static const struct {
        const char *figure;
        measured_jam (*create)(uint32_t car_count);
        uint32_t car_count;
    } FIGURES[] = {
        {"contact.jam_tick_ms.1000", jam_of_cars, 1000},
        {"contact.jam_tick_ms.4000", jam_of_cars, 4000},
        {"contact.boxes_tick_ms.1000", jam_of_boxes, 1000},
    };
    for (size_t i = 0; i < sizeof FIGURES / sizeof *FIGURES; i++) {
        if (windows_is_wanted(argc, argv, FIGURES[i].figure)) {
            printf("%s %.4f ms\n", FIGURES[i].figure,
                   measure(FIGURES[i].create(FIGURES[i].car_count)));
            fflush(stdout);
        }
    }
    return EXIT_SUCCESS;
}
