/// The files of a journal: whether one is ours, and what becomes of full ones.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

enum { STORE_JOURNAL_PATH_BYTES = 512 };

/// Whether bytes begin as `form` says, in which # stands for digits and ' for a quotation mark;
/// also if they end before it does.
bool store_has_form(const char *bytes, size_t length, const char *form);

/// @return APEX_ERR_EXISTS if this is no file, or one that begins otherwise; what the disk says.
apex_err store_prove_ours(int file, const char *form);

/// Renames events.jsonl to events-<n>.jsonl, one above the highest n that is there.
/// @return what the disk says; APEX_ERR_EXISTS if names are taken as fast as they are tried.
apex_err store_put_aside(const char *path);

/// Removes the full files with the lowest numbers until no more than `keep` are there. What is none
/// of ours by its form stays. What cannot be removed is left for the next time.
void store_remove_oldest(const char *path, const char *form, uint32_t keep);
