// Bodies of messages: the functions that write and read them.
#pragma once

#include "proto/codec/codec_reader.h"
#include "proto/codec/codec_writer.h"
#include "proto/proto.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// codec_snapshot.c: the cars of a snapshot, the bulk of all that a server sends.
struct Apex__Snapshot;
void codec_put_snapshot(codec_writer *writer, const apex_snapshot_message *plain);
bool codec_get_snapshot(codec_reader *reader, const struct Apex__Snapshot *pb,
                        apex_snapshot_message *plain);

// codec_own_car.c: the viewer's own car, exactly.
struct Apex__OwnCar;
void codec_put_own(codec_writer *writer, const apex_own_car *own);
bool codec_get_own(codec_reader *reader, const struct Apex__OwnCar *pb, const apex_own_car **out);

// codec_client.c
struct Apex__ClientMessage;
void codec_put_client(codec_writer *writer, const apex_client_message *message);
bool codec_get_client(codec_reader *reader, const struct Apex__ClientMessage *pb,
                      apex_client_message *out);
struct Apex__Controls;
bool codec_get_controls(codec_reader *reader, const struct Apex__Controls *pb,
                        apex_controls_message *plain);

// codec_controls.c
/// @return whether the bytes are controls as encoders write them; then *ok says whether their
/// values are good. Otherwise protobuf-c has to look.
bool codec_read_controls(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out, bool *ok);

enum { CODEC_SECRET_BYTES = 9 }; // of the field `secret` of a client's message
void codec_put_secret(uint8_t *at, uint64_t secret);

// codec.c: any client's message, by protobuf-c alone.
bool codec_unpack_client(codec_reader *reader, const uint8_t *bytes, size_t length,
                         apex_client_message *out);

// codec_telemetry.c
struct Apex__Telemetry;
struct Apex__ServerStats;
void codec_put_telemetry(codec_writer *writer, const apex_telemetry *plain);
bool codec_get_telemetry(codec_reader *reader, const struct Apex__Telemetry *pb,
                         apex_telemetry *plain);
void codec_put_stats(codec_writer *writer, const apex_server_stats *plain);
bool codec_get_stats(codec_reader *reader, const struct Apex__ServerStats *pb,
                     apex_server_stats *plain);

// codec_server.c and, for what concerns the race, codec_race.c
struct Apex__ServerMessage;
void codec_put_server(codec_writer *writer, const apex_server_message *message);
bool codec_get_server(codec_reader *reader, const struct Apex__ServerMessage *pb,
                      apex_server_message *out);
void codec_put_race(codec_writer *writer, const apex_server_message *message);
bool codec_get_race(codec_reader *reader, const struct Apex__ServerMessage *pb,
                    apex_server_message *out);

// A decoder from before race control refuses the whole of a list for one kind of event that it does
// not know. So kinds from this on travel in lists of their own, which it does not see.
enum { CODEC_CONTROL_EVENTS_FROM = APEX_WIRE_EVENT_SESSION };

// codec_playback.c
struct Apex__PlaybackState;
void codec_put_playback_state(codec_writer *writer, const apex_playback_state *plain);
bool codec_get_playback_state(codec_reader *reader, const struct Apex__PlaybackState *pb,
                              apex_playback_state *plain);

// codec_control.c: sessions, penalties, pits.
struct Apex__SessionState;
struct Apex__Penalties;
struct Apex__Conduct;
struct Apex__PitPlan;
void codec_put_session(codec_writer *writer, const apex_race_session *plain);
bool codec_get_session(codec_reader *reader, const struct Apex__SessionState *pb,
                       apex_race_session *plain);
void codec_put_penalties(codec_writer *writer, const apex_penalties *plain);
bool codec_get_penalties(codec_reader *reader, const struct Apex__Penalties *pb,
                         apex_penalties *plain);
void codec_put_conduct(codec_writer *writer, const apex_conduct *plain);
bool codec_get_conduct(codec_reader *reader, const struct Apex__Conduct *pb, apex_conduct *plain);
void codec_fill_pit_plan(struct Apex__PitPlan *pb, const apex_wire_pit_plan *plain);
bool codec_get_pit_plan(codec_reader *reader, const struct Apex__PitPlan *pb,
                        apex_wire_pit_plan *plain);
