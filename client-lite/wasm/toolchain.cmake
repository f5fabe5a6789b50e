# WebAssembly by clang, with the C library of wasi-libc: cmake -DCMAKE_TOOLCHAIN_FILE=... -B ...
list(APPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
set(CMAKE_SYSTEM_NAME WASI)
set(CMAKE_SYSTEM_PROCESSOR wasm32)

find_program(APEX_WASM_CLANG clang REQUIRED)
set(CMAKE_C_COMPILER ${APEX_WASM_CLANG})
set(CMAKE_C_COMPILER_TARGET wasm32-wasi)

# The tools that belong to this clang, whatever their version is called.
foreach(tool IN ITEMS wasm-ld llvm-ar llvm-ranlib)
  string(MAKE_C_IDENTIFIER "APEX_${tool}" found)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -print-prog-name=${tool}
    OUTPUT_VARIABLE at OUTPUT_STRIP_TRAILING_WHITESPACE)
  find_program(${found} NAMES ${at} ${tool} REQUIRED)
endforeach()
set(CMAKE_AR ${APEX_llvm_ar})
set(CMAKE_RANLIB ${APEX_llvm_ranlib})

# Eight cars at a time, as everywhere: every browser of the last years has vectors.
set(CMAKE_C_FLAGS_INIT -msimd128)
# The stack lies below everything else, so that one that overflows traps instead of overwriting.
set(CMAKE_EXE_LINKER_FLAGS_INIT
  "-fuse-ld=${APEX_wasm_ld} -Wl,--stack-first -Wl,-z,stack-size=1048576")
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
