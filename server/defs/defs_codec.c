// Memory, checks and refusals that name the field, for encoding and decoding definitions.
#include "defs/defs_codec.h"

#include "base/hash.h"

#include <stdio.h>
#include <stdlib.h>

bool defs_finite(const double values[], size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(values[i])) {
            return false;
        }
    }
    return true;
}

bool defs_is_set(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits != 0;
}

bool defs_refuse(const defs_place *place, const char *field, const char *reason) {
    apex_def_problem *problem = place->problem;
    if (problem == NULL) {
        return false;
    }
    char path[sizeof problem->field];
    snprintf(path, sizeof path, "%s", field);
    for (; place->up; place = place->up) {
        char inner[sizeof path];
        memcpy(inner, path, sizeof inner);
        if (place->index < 0) {
            snprintf(path, sizeof path, "%s%s%.64s", place->name, inner[0] ? "." : "", inner);
        } else {
            snprintf(path, sizeof path, "%s[%d]%s%.64s", place->name, (int)place->index,
                     inner[0] ? "." : "", inner);
        }
    }
    memcpy(problem->field, path, sizeof path);
    snprintf(problem->reason, sizeof problem->reason, "%s", reason);
    return false;
}

void *defs_new(apex_arena *arena, size_t count, size_t size) {
    void *memory = apex_arena_alloc_zero(arena, count, size);
    APEX_ASSERT(memory != NULL);
    return memory;
}

char *defs_clean_text(apex_arena *arena, const char *text, size_t size) {
    APEX_ASSERT(memchr(text, 0, size) != NULL);
    if (!*text) {
        return NULL; // left out
    }
    char *copy = defs_new(arena, 1, size);
    apex_wire_text(copy, size, text);
    return copy;
}

uint8_t *defs_pack(const ProtobufCMessage *message, size_t *length) {
    *length = protobuf_c_message_get_packed_size(message);
    uint8_t *bytes = malloc(*length ? *length : 1);
    if (bytes != NULL) {
        protobuf_c_message_pack(message, bytes);
    }
    return bytes;
}

static void *take(void *arena, size_t bytes) {
    return apex_arena_alloc(arena, bytes);
}

static void give_back(void *arena, void *pointer) {
    (void)arena;
    (void)pointer;
}

ProtobufCMessage *defs_unpack(const ProtobufCMessageDescriptor *type, const uint8_t *bytes,
                              size_t length, apex_arena *arena, const defs_place *root) {
    *arena = (apex_arena){0};
    if (length == 0 || length > APEX_MESSAGE_BYTES_MAX) {
        defs_refuse(root, "", "is not 1..1048576 bytes long");
        return NULL;
    }
    if (apex_arena_create(arena, DEFS_BYTES_BASE + DEFS_BYTES_PER_BYTE * length) != APEX_OK) {
        defs_refuse(root, "", "finds no memory");
        return NULL;
    }
    ProtobufCAllocator allocator = {.alloc = take, .free = give_back, .allocator_data = arena};
    ProtobufCMessage *message = protobuf_c_message_unpack(type, &allocator, length, bytes);
    if (message == NULL) {
        defs_refuse(root, "", "is made of bytes that are no definition");
    }
    return message;
}

uint64_t apex_def_hash(const uint8_t *bytes, size_t length) {
    return apex_hash_bytes(bytes, length, 0);
}

// Both kinds of definitions have their name for field 1, and encoders write fields in order.
bool apex_def_name_of(const uint8_t *bytes, size_t length, char name[APEX_NAME_BYTES]) {
    enum { NAME_TAG = 1 << 3 | 2, HEAD_BYTES = 2 };
    memset(name, 0, APEX_NAME_BYTES);
    if (length < HEAD_BYTES || bytes[0] != NAME_TAG || bytes[1] >= APEX_NAME_BYTES ||
        bytes[1] > length - HEAD_BYTES) {
        return false;
    }
    memcpy(name, bytes + HEAD_BYTES, bytes[1]);
    return true;
}
