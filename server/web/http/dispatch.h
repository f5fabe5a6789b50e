// Requests on their way to what answers them.
#pragma once

#include "web/http/connection.h"

// Has a request answered that has come whole: at once, or by the code that takes requests.
void web_dispatch(web_connection *connection);
