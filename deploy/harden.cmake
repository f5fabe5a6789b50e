# What makes a fault in code that reads strangers' bytes hard to use: canaries on the stack, checked
# calls of libc, code at no fixed address, and tables that are read-only once the program has begun
# (DECISIONS 54). e2e.hardening reads it back from the programs.
option(APEX_HARDEN "Optimised programs are built with the compiler's and the linker's protections" ON)

# What the step of physics is compiled with in addition: it reads nothing of a stranger's length.
set(APEX_UNGUARDED_FLAGS "")

# A sanitizer replaces what these guard, and a debugger's build is not optimised enough for fortified
# calls.
if(NOT APEX_HARDEN OR APEX_SANITIZE OR CMAKE_BUILD_TYPE STREQUAL Debug)
  return()
endif()

include(CheckCCompilerFlag)

# -fPIE rather than CMake's POSITION_INDEPENDENT_CODE, which would compile libraries for being
# shared: every call of a global function would be one through a table.
add_compile_options(-fPIE -fstack-protector-strong -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2)
add_link_options(-pie LINKER:-z,relro LINKER:-z,now LINKER:-z,noexecstack)

# Not every machine has them: the first depends on the compiler's version, the others on the
# processor. clang only warns of one that is another's.
set(CMAKE_REQUIRED_FLAGS -Werror)
foreach(flag IN ITEMS -fstack-clash-protection -fcf-protection=full -mbranch-protection=standard)
  string(MAKE_C_IDENTIFIER "APEX_HAS${flag}" has)
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    add_compile_options(${flag})
  endif()
endforeach()
unset(CMAKE_REQUIRED_FLAGS)

set(APEX_UNGUARDED_FLAGS -fno-stack-protector)
if(APEX_HAS_fstack_clash_protection)
  list(APPEND APEX_UNGUARDED_FLAGS -fno-stack-clash-protection)
endif()
