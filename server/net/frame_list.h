// An array that grows on a frame arena. Its former memory stays behind until the frame is reset,
// which costs at most as much again as the array itself.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

typedef struct net_frame_list {
    void *items;
    size_t item_bytes;
    size_t count;
    size_t capacity;
} net_frame_list;

// Makes room for `more` items; false when the frame is full, and then the list is as it was.
bool net_frame_list_reserve(net_frame_list *list, apex_arena *frame, size_t more);

// A zeroed item at the end, or NULL when the frame is full.
void *net_frame_list_add(net_frame_list *list, apex_arena *frame);
