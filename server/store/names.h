/// Lines of the file of names, and who players are as files tell it.
#pragma once

#include "base/json_writer.h"
#include "store/ring.h"

/// The file is made with the first name.
bool store_has_names(const apex_store *store);
/// Cuts off what a crash left of a last line.
apex_err store_open_names(apex_store *store);
void store_put_name(apex_text_writer *lines, const apex_held_name *name);

/// "driver": its fingerprint, or null.
void store_put_driver(apex_json_writer *json, const apex_store_who *who);
bool store_is_guest(const apex_store_who *who);
