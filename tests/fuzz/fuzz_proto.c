// links: proto
// Any bytes as a message from either side. What a decoder accepts must be what an encoder may
// write: encoding it asserts every range, and must give the same message again. And what is read
// without protobuf-c must be what protobuf-c makes of it.

#include "fuzz.h"

#include "proto/codec/codec_messages.h"

#include <stdlib.h>
#include <string.h>

enum { OUT_BYTES = 4 << 20 };

static _Alignas(16) uint8_t memory[APEX_DECODE_SCRATCH_BYTES * 8];
static _Alignas(16) uint8_t memory_again[APEX_DECODE_SCRATCH_BYTES * 8];
static uint8_t out[OUT_BYTES], out_again[OUT_BYTES];

static void run_client(const uint8_t *data, size_t size) {
    apex_scratch scratch = {memory, APEX_DECODE_SCRATCH_BYTES};
    apex_client_message message, again;
    const char *why = NULL;
    bool is_good = apex_decode_client(data, size, scratch, &message, &why);
    require(is_good || why != NULL);
    if (size > 0 && size <= APEX_DATAGRAM_BYTES_MAX) {
        codec_reader reader = codec_reader_over(scratch);
        memset(&again, 0, sizeof again);
        require(codec_unpack_client(&reader, data, size, &again) == is_good);
        require(is_good ? memcmp(&message, &again, sizeof again) == 0
                        : strcmp(reader.why, why) == 0);
    }
    if (!is_good) {
        return;
    }
    size_t length = apex_encode_client(&message, out, sizeof out);
    require(length > 0 && length <= APEX_DATAGRAM_BYTES_MAX);
    require(apex_decode_client(out, length, scratch, &again, NULL));
    require(memcmp(&message, &again, sizeof again) == 0);
}

static void run_server(const uint8_t *data, size_t size) {
    apex_server_message message, again;
    const char *why = NULL;
    if (!apex_decode_server(data, size, (apex_scratch){memory, sizeof memory}, &message, &why)) {
        require(why != NULL);
        return;
    }
    size_t length = apex_encode_server(&message, out, sizeof out);
    require(length > 0);
    // Much shorter than what came, if that was padded; never so long that it needs more memory.
    apex_scratch scratch = {memory_again, sizeof memory_again};
    require(apex_decode_server(out, length, scratch, &again, NULL));
    require(apex_encode_server(&again, out_again, sizeof out_again) == length);
    require(memcmp(out, out_again, length) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    run_client(data, size);
    run_server(data, size);
    return 0;
}
