/// What a client was told of the session, of penalties and of its own conduct.
#pragma once

#include "client-lite/session/state/knowledge.h"

/// Keeps the lists of an earlier one if this has none.
void client_knowledge_session(client_knowledge *knowledge, const apex_race_session *session);
void client_knowledge_penalties(client_knowledge *knowledge, const apex_penalties *penalties);
