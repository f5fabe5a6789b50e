// Save and hash of what decides the future.
#include "race/state_walk.h"
#include "race/weekend_walk.h"

#include "base/assert.h"
#include "base/hash.h"

size_t apex_race_save_bytes(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    return race_lines_end(race) + apex_world_save_bytes(race->field.world);
}

// Lines past kept_count are left over from earlier races and go out blank.
static race_player kept_line(const apex_race *race, uint32_t index) {
    return index < race->field.counts.kept ? race->field.kept[index] : (race_player){0};
}

void apex_race_save(const apex_race *race, uint8_t *out) {
    APEX_ASSERT(race != NULL && out != NULL);
    race_walk io = race_walk_writing(race, out);
    race_head head = race_head_of(race);
    race_walk_shape(&io, race);
    race_walk_head(&io, &head);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        uint32_t generation = race->field.pool.generations[i];
        race_walk_u32(&io, &generation);
    }
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_player player = race->field.players[i];
        race_walk_player(&io, &player);
        race_player kept = kept_line(race, i);
        race_walk_player(&io, &kept);
    }
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        uint64_t first_us = race->timing.first_us[i];
        race_walk_u64(&io, &first_us);
    }
    for (uint32_t i = 0; i < race_weekend_pieces(race); i++) {
        race_weekend_write(race, &io, i);
    }
    APEX_ASSERT(io.at == race_lines_end(race));
    apex_world_save(race->field.world, out + io.at);
}

static void hash_weekend(const apex_race *race, apex_hash_stream *stream) {
    uint8_t bytes[RACE_PIECE_BYTES_MAX];
    race_walk io = race_walk_writing(race, bytes);
    for (uint32_t i = 0; i < race_weekend_pieces(race); i++) {
        io.at = 0;
        race_weekend_write(race, &io, i);
        apex_hash_add(stream, bytes, io.at);
    }
}

uint64_t apex_race_hash(const apex_race *race) {
    APEX_ASSERT(race != NULL);
    apex_hash_stream stream;
    uint8_t bytes[RACE_LINE_BYTES_MAX];
    race_head head = race_head_of(race);
    race_walk io = race_walk_writing(race, bytes);
    apex_hash_begin(&stream, 0);
    race_walk_head(&io, &head);
    apex_hash_add(&stream, bytes, io.at);
    for (uint32_t i = 0; i < race->field.capacity; i++) {
        race_player lines[2] = {race->field.players[i], kept_line(race, i)};
        for (int k = 0; k < 2; k++) {
            io.at = 0;
            race_walk_player(&io, &lines[k]);
            apex_hash_add(&stream, bytes, io.at);
        }
        io.at = 0;
        uint32_t generation = race->field.pool.generations[i];
        race_walk_u32(&io, &generation);
        apex_hash_add(&stream, bytes, io.at);
    }
    for (uint32_t i = 0; i < race->timing.first_count; i++) {
        io.at = 0;
        uint64_t first_us = race->timing.first_us[i];
        race_walk_u64(&io, &first_us);
        apex_hash_add(&stream, bytes, io.at);
    }
    hash_weekend(race, &stream);
    io.at = 0;
    uint64_t world = apex_world_hash(race->field.world);
    race_walk_u64(&io, &world);
    apex_hash_add(&stream, bytes, io.at);
    return apex_hash_end(&stream);
}
