# Precompiled headers and ccache for every fpa target: MLIR's headers dominate
# the compile time of a file, so they are parsed once.

find_program(FPA_CCACHE ccache)
if(FPA_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # A precompiled header changes its time stamp with every build; ccache must
  # be told that this does not matter.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${FPA_CCACHE})
endif()

if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
endif()

# One target owns the precompiled header; the others reuse its file.
function(fpa_use_pch target)
  if(NOT TARGET FpaPrecompiled)
    if(NOT EXISTS ${PROJECT_BINARY_DIR}/FpaPrecompiled.cpp)
      file(WRITE ${PROJECT_BINARY_DIR}/FpaPrecompiled.cpp "")
    endif()
    add_library(FpaPrecompiled OBJECT ${PROJECT_BINARY_DIR}/FpaPrecompiled.cpp)
    llvm_update_compile_flags(FpaPrecompiled)
    target_precompile_headers(FpaPrecompiled PRIVATE
      <mlir/IR/BuiltinOps.h>
      <mlir/IR/PatternMatch.h>
      <mlir/Dialect/Affine/IR/AffineOps.h>
      <mlir/Dialect/Arith/IR/Arith.h>
      <mlir/Dialect/Func/IR/FuncOps.h>
      <mlir/Dialect/Linalg/IR/Linalg.h>
      <mlir/Dialect/Math/IR/Math.h>
      <mlir/Dialect/MemRef/IR/MemRef.h>
      <mlir/Dialect/SCF/IR/SCF.h>
      <mlir/Dialect/Tensor/IR/Tensor.h>
      <mlir/Dialect/Vector/IR/VectorOps.h>
      <mlir/Pass/Pass.h>
      <mlir/Transforms/DialectConversion.h>)
  endif()
  target_precompile_headers(${target} REUSE_FROM FpaPrecompiled)
endfunction()

# fpa_add_library(name sources... DEPENDS targets... LINK_LIBS libs... MLIR_LIBS libs...)
# A static library of the compiler. MLIR_LIBS are taken from the shared libMLIR.
function(fpa_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS;LINK_LIBS;MLIR_LIBS" ${ARGN})
  add_mlir_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS}
    EXCLUDE_FROM_LIBMLIR DISABLE_INSTALL
    DEPENDS ${ARG_DEPENDS}
    LINK_LIBS PUBLIC ${ARG_LINK_LIBS})
  set(object_target ${name})
  if(TARGET obj.${name})
    set(object_target obj.${name})
  endif()
  mlir_target_link_libraries(${name} PUBLIC MLIRIR ${ARG_MLIR_LIBS})
  fpa_use_pch(${object_target})
endfunction()

# fpa_add_tool(name sources... LINK_LIBS libs...)
function(fpa_add_tool name)
  cmake_parse_arguments(ARG "" "" "LINK_LIBS" ${ARGN})
  add_llvm_executable(${name} ${ARG_UNPARSED_ARGUMENTS} DISABLE_LLVM_LINK_LLVM_DYLIB)
  llvm_update_compile_flags(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  mlir_target_link_libraries(${name} PRIVATE MLIROptLib)
endfunction()
