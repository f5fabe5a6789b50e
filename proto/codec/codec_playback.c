// Where a recording of a race stands.
#include "wire.pb-c.h"

#include "proto/codec/codec_fields.h"
#include "proto/codec/codec_messages.h"

#define MARK_FIELDS(D)                                      \
    D##_ANY(mark, tick);                                    \
    D##_ENUM(mark, Apex__EventKind, uint32_t, kind, 0, 25); \
    D##_ANY(mark, player);

#define PLAYBACK_FIELDS(D)                                         \
    D##_ANY(playback_state, tick);                                 \
    D##_ANY(playback_state, last_tick);                            \
    D##_FLAG(playback_state, playing);                             \
    D##_INT(playback_state, uint32_t, speed_permille, 125, 16000); \
    D##_ANY(playback_state, epoch);                                \
    D##_FLAG(playback_state, seeking);

static void put_mark(codec_writer *writer, uint32_t number, const apex_playback_mark *plain) {
    Apex__Mark message = APEX__MARK__INIT, *pb = &message;
    MARK_FIELDS(PUT);
    codec_write_element(writer, number, &message.base);
}

void codec_put_playback_state(codec_writer *writer, const apex_playback_state *plain) {
    Apex__PlaybackState message = APEX__PLAYBACK_STATE__INIT, *pb = &message;
    assert(plain->mark_count <= APEX_PLAYBACK_MARKS_MAX);
    assert(plain->tick <= plain->last_tick);
    PLAYBACK_FIELDS(PUT);
    codec_write(writer, &message.base);
    for (uint32_t number = 7; number <= 8; number++) {
        for (uint32_t i = 0; i < plain->mark_count; i++) {
            bool is_control = plain->marks[i].kind >= CODEC_CONTROL_EVENTS_FROM;
            if (number == (is_control ? 8u : 7u)) {
                put_mark(writer, number, &plain->marks[i]);
            }
        }
    }
}

static bool get_mark(codec_reader *reader, const Apex__Mark *pb, apex_playback_mark *plain) {
    MARK_FIELDS(GET);
    return true;
}

bool codec_get_playback_state(codec_reader *reader, const Apex__PlaybackState *pb,
                              apex_playback_state *plain) {
    PLAYBACK_FIELDS(GET);
    if (plain->tick > plain->last_tick) {
        return codec_refuse(reader, "playback_state: tick is past last_tick");
    }
    if (pb->n_marks > APEX_PLAYBACK_MARKS_MAX ||
        pb->n_control_marks > APEX_PLAYBACK_MARKS_MAX - pb->n_marks) {
        return codec_refuse(reader, "playback_state: there are more than 256 marks");
    }
    size_t count = pb->n_marks + pb->n_control_marks;
    apex_playback_mark *marks = codec_take(reader, count, sizeof marks[0]);
    if (marks == NULL) {
        return false;
    }
    for (size_t i = 0, plain_taken = 0, control_taken = 0; i < count; i++) {
        bool is_control = plain_taken == pb->n_marks ||
                          (control_taken < pb->n_control_marks &&
                           pb->control_marks[control_taken]->tick < pb->marks[plain_taken]->tick);
        const Apex__Mark *next =
            is_control ? pb->control_marks[control_taken++] : pb->marks[plain_taken++];
        if (!get_mark(reader, next, &marks[i])) {
            return false;
        }
    }
    plain->mark_count = (uint32_t)count;
    plain->marks = marks;
    return true;
}
