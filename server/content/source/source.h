/// The source of a file: a path, a content directory, or what ships inside the program.
#pragma once

#include "content/document/reader.h"

/// The text of a file.
struct content_source {
    char label[APEX_CONTENT_PATH_BYTES + 32]; ///< its path, or "shipped track ridgeway"
    const char *text;
    size_t length;
    char *owned; ///< NULL when the text ships inside the program
};

apex_err content_source_find(apex_content_kind kind, const char *name, const char *directory,
                             content_source *out, apex_content_problem *problem);
apex_err content_source_read(const char *path, content_source *out, apex_content_problem *problem);
/// A file that one in `of` names: in the same folder, or beside it inside the program.
/// @param name of a file, without any folder.
apex_err content_source_beside(const content_source *of, const char *name, content_source *out,
                               apex_content_problem *problem);
void content_source_free(content_source *source);
/// Tracks and cars that lie beside the race's own file are named by their whole path from here on.
void content_resolve_race(apex_race_file *race, const char *race_path);
const char *content_kind_word(apex_content_kind kind);
