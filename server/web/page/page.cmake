# The live page: TypeScript bundled by esbuild, the client library as WebAssembly, all of it
# compressed and written as C arrays, which server/web serves. Sets APEX_PAGE_ASSETS to the C file;
# without it the server says on the page's address that it was built without.

set(APEX_PAGE AUTO CACHE STRING "ON, OFF, or AUTO: the live page only where what builds it is there")
set_property(CACHE APEX_PAGE PROPERTY STRINGS ON OFF AUTO)

set(page_source ${CMAKE_CURRENT_LIST_DIR})
set(page_build ${CMAKE_BINARY_DIR}/page)

# apex_page_tools(OUT): what is missing, as a list of words for people.
function(apex_page_tools out)
  set(missing "")
  find_program(APEX_NODE NAMES node nodejs)
  find_program(APEX_NPM npm)
  find_program(APEX_WASM_CLANG clang)
  foreach(tool IN ITEMS NODE NPM WASM_CLANG)
    if(NOT APEX_${tool})
      string(TOLOWER ${tool} word)
      string(REPLACE wasm_ "" word ${word})
      list(APPEND missing ${word})
    endif()
  endforeach()
  if(APEX_NODE)
    execute_process(COMMAND ${APEX_NODE} --version
      OUTPUT_VARIABLE version OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    string(REGEX REPLACE "^v" "" version "${version}")
    # "engines" of package.json.
    if(version VERSION_LESS 18)
      list(APPEND missing "node of version 18 or newer (${APEX_NODE} is ${version})")
    endif()
  endif()
  if(APEX_WASM_CLANG)
    # The parts that clang would use; it prints the bare name of one that it does not find.
    foreach(part IN ITEMS prog-name=wasm-ld prog-name=llvm-ar file-name=libc.a libgcc-file-name)
      execute_process(COMMAND ${APEX_WASM_CLANG} --target=wasm32-wasi -print-${part}
        OUTPUT_VARIABLE at OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
      if(NOT IS_ABSOLUTE "${at}" OR NOT EXISTS "${at}")
        string(REGEX REPLACE "^.*=" "" word ${part})
        string(REPLACE libc.a wasi-libc word ${word})
        string(REPLACE libgcc-file-name libclang-rt-dev-wasm32 word ${word})
        list(APPEND missing ${word})
      endif()
    endforeach()
  endif()
  set(${out} "${missing}" PARENT_SCOPE)
endfunction()

# Finds the source of the installed protobuf-c, which deploy/packages.sh leaves.
function(apex_page_protobuf_c out)
  pkg_check_modules(APEX_PC_protobuf_c QUIET libprotobuf-c)
  set(cache $ENV{XDG_CACHE_HOME})
  if(NOT cache)
    set(cache $ENV{HOME}/.cache)
  endif()
  set(APEX_PROTOBUF_C_SOURCE ${cache}/apex/protobuf-c-${APEX_PC_protobuf_c_VERSION}
    CACHE PATH "Source of the installed protobuf-c, with protobuf-c/protobuf-c.c")
  set(header ${APEX_PROTOBUF_C_SOURCE}/protobuf-c/protobuf-c.h)
  set(version "")
  if(EXISTS ${header})
    file(STRINGS ${header} version REGEX "define[ \t]+PROTOBUF_C_VERSION[ \t]")
  endif()
  # Generated code wants the version that protoc-c is of.
  string(FIND "${version}" "\"${APEX_PC_protobuf_c_VERSION}\"" at)
  if(at EQUAL -1)
    list(APPEND ${out} "source of protobuf-c ${APEX_PC_protobuf_c_VERSION}")
    set(${out} "${${out}}" PARENT_SCOPE)
  endif()
endfunction()

# The packages of package-lock.json, fetched when it changes: here and not while building, because a
# machine without network builds a server all the same.
function(apex_page_packages out)
  set(lock ${page_source}/package-lock.json)
  set(stamp ${page_source}/node_modules/.apex-lock)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  # Two builds may be configured at a time.
  file(LOCK ${page_source}/node_modules.lock GUARD FUNCTION TIMEOUT 600)
  file(SHA256 ${lock} wanted)
  set(present "")
  if(EXISTS ${stamp})
    file(READ ${stamp} present)
  endif()
  if(wanted STREQUAL present)
    return()
  endif()
  # While configuring and not while building: a machine without a network builds a server that has
  # no page instead of none (DECISIONS 33).
  message(STATUS "Live page: fetching its packages with npm")
  execute_process(
    # One more try and no long wait before it: without a network npm would take minutes to say so.
    COMMAND ${APEX_NPM} ci --fetch-retries=1 --fetch-retry-mintimeout=1000 --no-audit --no-fund
      --ignore-scripts --loglevel=error
    WORKING_DIRECTORY ${page_source} TIMEOUT 300
    RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(status EQUAL 0)
    file(WRITE ${stamp} ${wanted})
  else()
    string(STRIP "${said}" said)
    message(STATUS "Live page: npm ci: ${said}")
    list(APPEND ${out} "its npm packages (is there a network?)")
    set(${out} "${${out}}" PARENT_SCOPE)
  endif()
endfunction()

function(apex_page_wasm)
  set(folders base defs physics track)
  list(TRANSFORM folders PREPEND ${CMAKE_SOURCE_DIR}/server/)
  # Of the client, what no command line needs.
  set(rooms input tracks view prediction session text wasm)
  list(TRANSFORM rooms PREPEND ${CMAKE_SOURCE_DIR}/client-lite/)
  list(APPEND folders ${CMAKE_SOURCE_DIR}/proto ${rooms})
  set(kinds *.c *.h *.proto CMakeLists.txt *.cmake)
  set(patterns "")
  foreach(folder IN LISTS folders)
    list(TRANSFORM kinds PREPEND ${folder}/ OUTPUT_VARIABLE inside)
    list(APPEND patterns ${inside})
  endforeach()
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
  list(TRANSFORM kinds PREPEND ${CMAKE_SOURCE_DIR}/client-lite/ OUTPUT_VARIABLE patterns)
  file(GLOB client_sources CONFIGURE_DEPENDS ${patterns})
  list(FILTER client_sources EXCLUDE REGEX "/client-lite/main\\.c")
  list(APPEND sources ${client_sources})
  set(build ${CMAKE_BINARY_DIR}/wasm)
  # Small: a ninth less to fetch than with -O2, and the step is at -O3 in any case.
  add_custom_command(
    OUTPUT ${build}/apex.stamp
    BYPRODUCTS ${build}/apex.wasm
    # Flags that the caller's shell has for the native compiler are not for this one.
    COMMAND ${CMAKE_COMMAND} -E env --unset=CFLAGS --unset=CPPFLAGS --unset=LDFLAGS
      ${CMAKE_COMMAND} -S ${CMAKE_SOURCE_DIR} -B ${build} -G ${CMAKE_GENERATOR}
      -D CMAKE_TOOLCHAIN_FILE=${CMAKE_SOURCE_DIR}/client-lite/wasm/toolchain.cmake
      -D CMAKE_BUILD_TYPE=Release -D APEX_DEBUG_INFO=-g0 -D APEX_LEVEL=-Oz -D APEX_WERROR=${APEX_WERROR}
      -D APEX_PROTOBUF_C_SOURCE=${APEX_PROTOBUF_C_SOURCE}
    COMMAND ${CMAKE_COMMAND} --build ${build} --target apex
    COMMAND ${CMAKE_COMMAND} -E touch ${build}/apex.stamp
    DEPENDS ${sources} ${CMAKE_SOURCE_DIR}/CMakeLists.txt ${CMAKE_SOURCE_DIR}/server/module.cmake
    COMMENT "Compiling the client library to WebAssembly"
    VERBATIM)
endfunction()

function(apex_page_target)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${page_source}/src/*)
  set(assets ${page_build}/page_assets.c)
  add_custom_command(
    OUTPUT ${assets}
    COMMAND ${CMAKE_COMMAND} -E rm -rf ${page_build}/files
    COMMAND ${APEX_NODE} build.js --out ${page_build}/files
    COMMAND ${CMAKE_COMMAND} -E copy ${CMAKE_BINARY_DIR}/wasm/apex.wasm ${page_build}/files
    COMMAND ${APEX_NODE} embed.js --in ${page_build}/files --out ${assets}
    WORKING_DIRECTORY ${page_source}
    DEPENDS ${sources} ${CMAKE_BINARY_DIR}/wasm/apex.stamp ${page_source}/build.js
      ${page_source}/embed.js ${page_source}/package.json ${page_source}/package-lock.json
    COMMENT "Bundling the live page"
    VERBATIM)
  add_custom_target(page DEPENDS ${assets})
endfunction()

set(APEX_PAGE_ASSETS "")
if(APEX_PAGE)
  apex_page_tools(page_missing)
  apex_page_protobuf_c(page_missing)
  if(NOT page_missing)
    apex_page_packages(page_missing)
  endif()
  list(JOIN page_missing ", " page_words)
  if(NOT page_missing)
    message(STATUS "Live page: yes")
    apex_page_wasm()
    apex_page_target()
    set(APEX_PAGE_ASSETS ${page_build}/page_assets.c)
  elseif(APEX_PAGE STREQUAL AUTO)
    message(STATUS "Live page: no, missing: ${page_words} "
      "(bash -c '. deploy/packages.sh && apex_install_page')")
  else()
    message(FATAL_ERROR "APEX_PAGE is ON, but there is no: ${page_words}. "
      "To install: bash -c '. deploy/packages.sh && apex_install_page'")
  endif()
endif()
