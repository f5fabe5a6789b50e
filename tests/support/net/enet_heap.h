// The memory that ENet holds: its allocations go through callbacks that keep count.

#ifndef APEX_TESTS_ENET_HEAP_H
#define APEX_TESTS_ENET_HEAP_H

#include <stddef.h>

// Before anything else is asked of ENet.
void enet_heap_watch(void);
size_t enet_heap_bytes(void);      // held now
size_t enet_heap_bytes_peak(void); // since the last reset
void enet_heap_reset_peak(void);

#endif
