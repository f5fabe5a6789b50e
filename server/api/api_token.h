/// The token that an operator of a server shows over the web.
#pragma once

#include "api/api_call.h"

/// @return whether the request's token is the operators'; if not it has been answered.
bool api_may_operate(const api_call *call);
