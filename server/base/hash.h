/// 64-bit XXH3 (xxHash 0.8): state hashes, content names, checksums against accidents. Not for
/// secrets, and not against someone who wants a collision.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

uint64_t apex_hash_bytes(const void *bytes, size_t length, uint64_t seed);

/// The same value for bytes that come in pieces, however they were cut.
/// Opaque and without heap, so that it can live on the stack. About 600 bytes.
typedef struct apex_hash_stream {
    _Alignas(64) unsigned char opaque[576];
} apex_hash_stream;

void apex_hash_begin(apex_hash_stream *stream, uint64_t seed);
void apex_hash_add(apex_hash_stream *stream, const void *bytes, size_t length);
uint64_t apex_hash_end(const apex_hash_stream *stream); // adding may go on afterwards

/// 16 lower-case digits, most significant first, and a 0.
#define APEX_HASH_HEX_BYTES 17
void apex_hash_to_hex(uint64_t hash, char text[APEX_HASH_HEX_BYTES]);
