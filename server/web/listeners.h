// Sockets that listen for connections.
#pragma once

#include "web/web.h"

apex_err web_listen(apex_web *web, char why[APEX_WEB_WHY_BYTES]);
void web_stop_listening(apex_web *web);
void web_resume_listening(apex_web *web);
