// Growing an array on a frame arena.
#include "net/frame_list.h"

#include <string.h>

#include "base/assert.h"

static const size_t first_capacity = 32;

bool net_frame_list_reserve(net_frame_list *list, apex_arena *frame, size_t more) {
    APEX_ASSERT(list->item_bytes > 0 && more <= first_capacity);
    if (list->count + more <= list->capacity) {
        return true;
    }
    size_t capacity = list->capacity > 0 ? list->capacity * 2 : first_capacity;
    void *items = apex_arena_alloc(frame, capacity * list->item_bytes);
    if (items == NULL) {
        return false;
    }
    if (list->count > 0) {
        memcpy(items, list->items, list->count * list->item_bytes);
    }
    list->items = items;
    list->capacity = capacity;
    return true;
}

void *net_frame_list_add(net_frame_list *list, apex_arena *frame) {
    if (!net_frame_list_reserve(list, frame, 1)) {
        return NULL;
    }
    void *item = (unsigned char *)list->items + list->count * list->item_bytes;
    memset(item, 0, list->item_bytes);
    list->count++;
    return item;
}
