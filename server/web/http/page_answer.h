// Answers with the page's files.
#pragma once

#include "web/http/connection.h"

// @return false if there is no such file.
bool web_answer_page(web_connection *connection, const char *path);
// The page says what there is instead. @return false for a client that cannot read it, and where
// there is none.
bool web_answer_not_found(web_connection *connection);
