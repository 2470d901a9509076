//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What the host does for a compiled function: instructions in order, some of
// them in loops, that compute sizes, allocate, launch kernels and return
// buffers. It has a text form, which packages hold. Plain C++, no LLVM.

#ifndef FPA_RUNTIME_HOSTPROGRAM_H
#define FPA_RUNTIME_HOSTPROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace fpa::runtime {

enum class ElementType { F16, BF16, F32, F64, I1, I32, I64, Index };

/// As in MLIR's text: "f16", "bf16", ..., "index".
const char *getName(ElementType type);
bool parseElementType(const std::string &name, ElementType &type);
int64_t getBytes(ElementType type);

/// Row-major elements; a size of -1 is known at run time only.
struct ArrayType {
  ElementType element = ElementType::F32;
  std::vector<int64_t> shape;
};

/// "2x?xf32".
std::string getText(const ArrayType &type);
bool parseArrayType(const std::string &text, ArrayType &type);

/// Bytes of an array whose sizes are all known; false where they overflow or a
/// size is negative.
bool countBytes(const ArrayType &type, int64_t &bytes);

enum class Opcode {
  Input,    // %r = input TYPE: the next input's buffer
  Constant, // %r = constant N
  Float,    // %r = float BITS: the bits of a kernel's f32 or f64 argument
  Dim,      // %r = dim %input N
  Add,
  Sub,
  Mul,
  Div, // towards zero
  CeilDiv,
  FloorDiv,
  Rem, // sign of the dividend
  Min,
  Max,
  Equal, // 1 or 0, as the other comparisons
  NotEqual,
  Less,
  LessEqual,
  Select,   // %r = select %condition %then %else
  Require,  // require %condition %v ... TEXT: an error that says TEXT, in which
            // {1} is the first %v, unless the condition is other than 0
  Allocate, // %r = allocate %bytes
  Release,  // release %buffer
  For,      // %r = for %from %to %step: what follows, up to its Next, for each
            // %r from %from to below %to; values made within stay within
  Next,     // next: ends the innermost loop
  Launch,   // launch KERNEL grid %x %y %z block %x %y %z shared %bytes (TYPE
            // %v, ...)
  Return    // return TYPE %buffer %size ..., one line for each result
};

/// What a kernel's parameter is. Index is 64 bits wide.
enum class ArgumentType { Pointer, Index, I64, I32, F32, F64 };

/// The number of a value: that of the instructions before it that make one.
using ValueId = int32_t;

struct Argument {
  ArgumentType type = ArgumentType::Pointer;
  ValueId value = 0;
};

struct Instruction {
  Opcode op = Opcode::Constant;
  /// The constant, the float's bits or the dimension.
  int64_t number = 0;
  /// In the order of the text form; of a launch the grid, the block and the
  /// bytes of shared memory; of a return the buffer and the sizes.
  std::vector<ValueId> operands;
  /// Of inputs and returns.
  ArrayType type;
  /// Of launches; of a requirement its text.
  std::string kernel, text;
  std::vector<Argument> arguments;
};

struct HostProgram {
  std::string name;
  std::vector<Instruction> instructions;

  std::vector<ArrayType> getInputs() const;
  std::vector<ArrayType> getResults() const;
};

/// Whether it can name a program or a kernel: printable ASCII without blanks.
bool isName(const std::string &name);

/// Whether the instruction makes a value.
bool makesValue(Opcode op);

/// "" when every operand is there and of the right kind, loops end and release
/// what they allocate, no buffer is used after its release and the results are
/// allocations of their own; else what is wrong, beginning with the
/// instruction's place.
std::string verify(const HostProgram &program);

/// The text form; the first line names its version.
std::string print(const HostProgram &program);

/// Reads and verifies the text form. Returns "" or an error that names the
/// line.
std::string parse(const std::string &text, HostProgram &program);

} // namespace fpa::runtime

#endif // FPA_RUNTIME_HOSTPROGRAM_H
