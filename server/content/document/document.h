/// A YAML text opened as a document.
#pragma once

#include "content/document/reader.h"

/// Loads exactly one document without anchors, aliases and tags. Close it whatever comes out.
bool content_open(content_reader *reader, const char *text, size_t length, const char *label);
void content_close(content_reader *reader);
