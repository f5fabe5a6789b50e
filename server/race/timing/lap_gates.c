// The gates stand at the line and at the ends of sectors, with hidden ones between them.
#include "race/timing/lap_gates.h"

#include "base/assert.h"

enum { HIDDEN_GATES = 16 };

static void add_gate(race_timing *timing, double s_m, uint32_t sector) {
    APEX_ASSERT(timing->gate_count < RACE_GATES_MAX + 1);
    timing->gates[timing->gate_count++] = (race_gate){s_m, (uint8_t)sector};
}

void race_gates_make(race_timing *timing, const apex_track *track) {
    double length_m = apex_track_length_m(track);
    uint32_t sectors = apex_track_sector_count(track);
    timing->length_m = length_m;
    timing->closed = apex_track_closed(track);
    timing->gate_count = 0;
    add_gate(timing, 0.0, timing->closed ? sectors - 1 : RACE_GATE_NO_SECTOR);
    uint32_t sector = 0;
    for (uint32_t i = 1; i <= HIDDEN_GATES; i++) {
        double hidden_m = length_m * i / HIDDEN_GATES;
        while (sector + 1 < sectors && apex_track_sector_end_m(track, sector) <= hidden_m) {
            add_gate(timing, apex_track_sector_end_m(track, sector), sector);
            sector++;
        }
        if (i < HIDDEN_GATES && hidden_m > timing->gates[timing->gate_count - 1].s_m) {
            add_gate(timing, hidden_m, RACE_GATE_NO_SECTOR);
        }
    }
    if (!timing->closed) {
        add_gate(timing, length_m, sectors - 1);
    }
}
