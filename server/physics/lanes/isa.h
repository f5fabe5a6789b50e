/// Code that is compiled once for each instruction set: LEVEL(name) is a function's name in the one
/// that is being compiled. Only world/levels.c knows more than one.
#pragma once

#ifndef APEX_LANES_SUFFIX
#define APEX_LANES_SUFFIX _base
#endif
#define LEVEL_JOIN(name, suffix)   name##suffix
#define LEVEL_EXPAND(name, suffix) LEVEL_JOIN(name, suffix)
#define LEVEL(name)                LEVEL_EXPAND(name, APEX_LANES_SUFFIX)
