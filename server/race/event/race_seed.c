// The seed of a race, of what is drawn by lot in it.
#include "race/race.h"

#include "base/hash.h"

uint64_t apex_race_seed_of(uint64_t event_seed, uint32_t race_number) {
    uint8_t bytes[8 + 4];
    for (uint32_t i = 0; i < 8; i++) {
        bytes[i] = (uint8_t)(event_seed >> 8 * i);
    }
    for (uint32_t i = 0; i < 4; i++) {
        bytes[8 + i] = (uint8_t)(race_number >> 8 * i);
    }
    uint64_t seed = apex_hash_bytes(bytes, sizeof bytes, 0) & APEX_RACE_SEED_MAX;
    return seed != 0 ? seed : 1;
}
