/// How the parts of the API answer.
#pragma once

#include "host/answer_json.h"
#include "host/api.h"

/// A request on its way to its answer.
typedef struct api_call {
    const host_api *api;
    const apex_web_request *request;
    apex_arena *arena;
    apex_web_answer *answer;
    uint32_t race;       ///< from 1; 0 where the path names none
    apex_server *server; ///< of that race
} api_call;

void api_answer_json(const api_call *call, uint32_t status, answer_json *json);
/// Answers {"error": a sentence that says what to do}.
__attribute__((format(printf, 3, 4))) void api_refuse(const api_call *call, uint32_t status,
                                                      const char *format, ...);

// api_token.c: who may operate. Of each address some wrong tokens are looked at in a while, then
// none at all for a time, so that guessing is slow.
enum { API_ADDRESSES = 64 };

typedef struct api_guesser {
    char address[APEX_ADDRESS_BYTES];
    uint64_t free_us; ///< when what it tried wrong is forgotten
} api_guesser;

typedef struct api_guessers {
    api_guesser at[API_ADDRESSES];
    uint64_t wrong_tokens, refused_tries;
} api_guessers;

/// @return whether the request's token is the operators'; if not it has been answered.
bool api_may_operate(const api_call *call);

// api_races.c
void api_list_races(const api_call *call);
void api_show_race(const api_call *call);

// api_status.c
void api_show_status(const api_call *call);

// api_orders.c
void api_say(const api_call *call);
void api_kick(const api_call *call);
void api_start(const api_call *call);
void api_restart(const api_call *call);
void api_quit(const api_call *call);

// api_replays.c
typedef struct api_replays api_replays;

void api_list_replays(const api_call *call);
void api_replays_destroy(api_replays *replays); ///< NULL is fine

// health.c
void api_healthz(const api_call *call);
void api_readyz(const api_call *call);

struct host_api_memory {
    api_guessers guessers;
    api_replays *replays; ///< NULL before somebody asked
};
