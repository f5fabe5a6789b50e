/// The end of a server: the reason, the moment it was asked to, and the clients that were told.
#pragma once

#include "host/tick_frame.h"

enum {
    HOST_GOODBYE_US_MAX = 2000000, ///< for what is to be told, and for closing
    HOST_STORE_US_MAX = 30000000,  ///< after an event, for a disk that does not take its results
};

typedef struct host_ending {
    apex_reason stop_reason;
    char stop_text[APEX_WIRE_TEXT_BYTES];
    bool stopping, goodbyes_said, said_late;
    uint64_t stop_us, goodbye_us; ///< when the stop was asked for, when goodbyes were said
    uint64_t over_us;             ///< when the event was over with something untold; 0: not yet
} host_ending;

/// Of an event that is over: whether clients have been told all of it, or it took too long. That
/// something waits for the disk is said in the log, once.
bool host_is_farewell_due(const host_frame *frame, host_ending *ending, bool is_over,
                          bool all_is_told);
/// From the tick on in which it is over: closes every session.
void host_say_goodbye(const host_frame *frame, host_ending *ending, const host_clients *clients,
                      apex_sessions *sessions, bool is_over);
/// Every client knows, or has had time to.
bool host_has_ended(const host_ending *ending, const apex_sessions *sessions, uint64_t now_us);
