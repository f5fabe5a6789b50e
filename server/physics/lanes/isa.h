/// Code that is compiled once for each instruction set: FOR_ISA(name) is a function's name in the
/// one that is being compiled. Only world/isa_table.c knows more than one.
#pragma once

#ifndef APEX_LANES_SUFFIX
#define APEX_LANES_SUFFIX _base
#endif
#define FOR_ISA_JOIN(name, suffix)   name##suffix
#define FOR_ISA_EXPAND(name, suffix) FOR_ISA_JOIN(name, suffix)
#define FOR_ISA(name)                FOR_ISA_EXPAND(name, APEX_LANES_SUFFIX)
