// The hash of the whole product, XXH3: nothing else includes the library.
#include "base/hash.h"

// The header holds the whole algorithm, so base needs no library at run time, and the bits cannot
// change under a replay when the system's libxxhash does.
#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert(sizeof(XXH3_state_t) <= sizeof(apex_hash_stream), "the opaque state is too small");
_Static_assert(_Alignof(XXH3_state_t) <= _Alignof(apex_hash_stream), "and must be as aligned");

uint64_t apex_hash_bytes(const void *bytes, size_t length, uint64_t seed) {
    return XXH3_64bits_withSeed(bytes, length, seed);
}

void apex_hash_begin(apex_hash_stream *stream, uint64_t seed) {
    XXH3_state_t *state = (XXH3_state_t *)(void *)stream->opaque;
    // Tells xxHash that the memory is not a state it set up before.
    XXH3_INITSTATE(state);
    XXH3_64bits_reset_withSeed(state, seed);
}

void apex_hash_add(apex_hash_stream *stream, const void *bytes, size_t length) {
    if (length > 0) {
        XXH3_64bits_update((XXH3_state_t *)(void *)stream->opaque, bytes, length);
    }
}

uint64_t apex_hash_end(const apex_hash_stream *stream) {
    return XXH3_64bits_digest((const XXH3_state_t *)(const void *)stream->opaque);
}

void apex_hash_to_hex(uint64_t hash, char text[APEX_HASH_HEX_BYTES]) {
    for (int digit = 0; digit < 16; digit++) {
        text[digit] = "0123456789abcdef"[(hash >> (60 - 4 * digit)) & 15];
    }
    text[16] = '\0';
}
