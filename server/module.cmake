# Flags common to all code, and the two functions that every module's CMakeLists.txt is made of.

if(CMAKE_SYSTEM_NAME STREQUAL WASI)
  include(${CMAKE_SOURCE_DIR}/client-lite/wasm/packages.cmake)
else()
  find_package(PkgConfig REQUIRED)
  find_package(Threads REQUIRED)
  add_link_options(-Wl,--as-needed)
endif()

# Contraction would let one compiler fuse a multiply-add that another does not, and the race would
# run apart; math errno only costs time, nobody reads it.
add_compile_options(-ffp-contract=off -fno-math-errno)
add_compile_definitions(APEX_VERSION="${PROJECT_VERSION}")
if(APEX_VALIDATES)
  add_compile_definitions(APEX_VALIDATES=1)
endif()
include_directories(${CMAKE_SOURCE_DIR} ${CMAKE_SOURCE_DIR}/server)

if(APEX_SANITIZE STREQUAL "address")
  set(apex_sanitize_flags -fsanitize=address,undefined,float-cast-overflow -fno-sanitize-recover=all)
elseif(APEX_SANITIZE STREQUAL "thread")
  set(apex_sanitize_flags -fsanitize=thread)
elseif(APEX_SANITIZE STREQUAL "fuzzer")
  if(NOT CMAKE_C_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "APEX_SANITIZE=fuzzer needs clang: set CMAKE_C_COMPILER=clang")
  endif()
  set(apex_sanitize_flags -fsanitize=fuzzer-no-link,address,undefined,float-cast-overflow -fno-sanitize-recover=all)
elseif(APEX_SANITIZE)
  message(FATAL_ERROR "APEX_SANITIZE is address, thread or fuzzer, not '${APEX_SANITIZE}'")
endif()
if(APEX_SANITIZE)
  add_compile_options(${apex_sanitize_flags} -fno-omit-frame-pointer)
  add_link_options(${apex_sanitize_flags})
endif()

# Linked by all code of our own, not by generated code.
add_library(apex_warnings INTERFACE)
target_compile_options(apex_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wstrict-prototypes
  -Wmissing-prototypes -Wdouble-promotion -Wundef -Wvla $<$<BOOL:${APEX_WERROR}>:-Werror>)

# apex_packages(TARGET VISIBILITY PACKAGE...): link pkg-config packages; imported targets bring
# their headers as SYSTEM ones.
function(apex_packages target visibility)
  foreach(package IN LISTS ARGN)
    if(COMMAND apex_wasi_package)
      apex_wasi_package(${target} ${visibility} ${package})
      continue()
    endif()
    string(MAKE_C_IDENTIFIER "APEX_PC_${package}" prefix)
    if(NOT TARGET PkgConfig::${prefix})
      pkg_check_modules(${prefix} REQUIRED IMPORTED_TARGET GLOBAL ${package})
    endif()
    target_link_libraries(${target} ${visibility} PkgConfig::${prefix})
  endforeach()
endfunction()

# apex_module_from(NAME SOURCES files... LINKS modules... PACKAGES packages...): the static library
# apex_NAME. Without sources it is an INTERFACE library, so that what builds on it still configures.
function(apex_module_from name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LINKS;PACKAGES")
  set(visibility PUBLIC)
  set(own PRIVATE)
  if(arg_SOURCES)
    add_library(apex_${name} STATIC ${arg_SOURCES})
    target_link_libraries(apex_${name} PRIVATE apex_warnings)
  else()
    add_library(apex_${name} INTERFACE)
    set(visibility INTERFACE)
    set(own INTERFACE)
  endif()
  foreach(link IN LISTS arg_LINKS)
    target_link_libraries(apex_${name} ${visibility} apex_${link})
  endforeach()
  apex_packages(apex_${name} ${own} ${arg_PACKAGES})
endfunction()

# apex_module(NAME [LINKS modules...] [PACKAGES packages...]): all *.c files of the folder and of its
# rooms.
function(apex_module name)
  file(GLOB sources CONFIGURE_DEPENDS
    ${CMAKE_CURRENT_SOURCE_DIR}/*.c ${CMAKE_CURRENT_SOURCE_DIR}/*/*.c)
  apex_module_from(${name} SOURCES ${sources} ${ARGN})
endfunction()
