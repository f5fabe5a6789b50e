// links: client
// Any bytes as delta snapshots, one after the other, to a client: two bytes before each
// say how long it is. A snapshot that is taken has cars within their ranges, and nothing else is
// remembered.

#include "fuzz.h"

#include "client-lite/view/deltas.h"

#include <stdlib.h>

static void check_car(const apex_wire_car *car) {
    require((car->id & 0xffff) != 0);
    require(car->gear >= -16 && car->gear <= 15);
    require(abs(car->x_mm) <= 10 << 22 && abs(car->y_mm) <= 10 << 22);
    require(car->damage_zones < 1u << 20);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    client_deltas deltas = {0};
    client_deltas_begin(&deltas, 60);
    uint32_t near_tick = 0;
    while (size > 2) {
        size_t length = data[0] | (size_t)data[1] << 8;
        length = length < size - 2 ? length : size - 2;
        apex_snapshot_message message = {.delta = data + 2, .delta_length = length}, whole;
        if (client_deltas_take(&deltas, &message, near_tick, &whole)) {
            require(whole.car_count <= CLIENT_DELTA_CARS);
            near_tick = whole.tick;
            for (uint32_t i = 0; i < whole.car_count; i++) {
                check_car(&whole.cars[i]);
            }
        }
        data += 2 + length;
        size -= 2 + length;
    }
    require(deltas.capacity <= 1 << 15);
    client_deltas_free(&deltas);
    return 0;
}
