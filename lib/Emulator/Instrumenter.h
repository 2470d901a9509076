//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The rewriting of one function after another, split over several files.

#ifndef FPA_LIB_EMULATOR_INSTRUMENTER_H
#define FPA_LIB_EMULATOR_INSTRUMENTER_H

#include "Instrument.h"
#include "Thread.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::fpa {

class Instrumenter {
public:
  explicit Instrumenter(InstrumentedKernels &result);
  llvm::Error run();

private:
  llvm::Error checkGlobals();
  /// Gives the variables in shared memory that `function` names a place from
  /// `offset` on, where they have none, and returns their end.
  int64_t layOutShared(LLVM::LLVMFuncOp function, int64_t offset);
  llvm::Error rewriteFunction(LLVM::LLVMFuncOp function);
  void countBlock(Block &block, unsigned index);
  void findLoops(size_t firstBlock);
  llvm::Error checkOps(LLVM::LLVMFuncOp function);
  llvm::Error refuse(Operation *op, StringRef why = "");

  // Each returns whether the op is one of its kind, and sets `error` where
  // that op cannot be run.
  bool rewriteMemory(Operation *op, llvm::Error &error);
  bool rewriteCopies(Operation *op, llvm::Error &error);
  bool rewriteCollective(Operation *op, llvm::Error &error);
  bool rewriteMatrices(Operation *op, llvm::Error &error);
  bool rewriteScalar(Operation *op, llvm::Error &error);

  bool rewriteBarrier(Operation *op);
  bool rewriteSpecial(Operation *op);
  bool rewriteConversion(Operation *op, llvm::Error &error);
  template <typename Op> void checkDivision(Op op, bool isSigned);
  void rewriteIntrinsic(LLVM::CallIntrinsicOp op, llvm::Error &error);
  void addAccess(Operation *op, Value pointer, Type type, SiteKind kind,
                 std::optional<uint64_t> alignment);
  /// Finds what each function needs of a stack, and refuses too much.
  llvm::Error layOutStack();
  bool rewriteStack(Operation *op);
  /// Bytes of a variable of the thread, where they are known, and as a value.
  std::optional<uint64_t> getStaticBytes(LLVM::AllocaOp variable);
  Value getBytes(LLVM::AllocaOp variable);
  void addLocalAccess(Operation *op, Value pointer, Type type, SiteKind kind);
  void addMaskedAccess(Operation *op, Value pointer, Value mask, Type type,
                       SiteKind kind, uint64_t alignment);

  /// Replaces `op` by a meeting of lanes that is given `operands` and has the
  /// op's results.
  void replaceByCollective(Operation *op, const Site &site,
                           ValueRange operands);

  Site makeSite(Operation *op, SiteKind kind);
  Site makeAccessSite(Operation *op, SiteKind kind, uint64_t bytes);
  Value makeSiteAddress(const Site &site);
  Value callHook(StringRef name, Type result, ValueRange operands);
  Value loadView(Type type, size_t offset);
  Value constant(int64_t value, unsigned bits = 32);
  /// A value of at most 32 bits as i32, and back.
  Value toWord(Value value);
  Value fromWord(Value word, Type type);
  Value toGenericPointer(Value pointer);

  InstrumentedKernels &result;
  ModuleOp module;
  ImplicitLocOpBuilder builder;
  DataLayout layout;
  Type pointerType, i32, i64;
  /// Offsets of variables in shared memory; of those without a size, from
  /// where the others end.
  llvm::StringMap<int64_t> sharedOffsets;

  /// Bytes of the variables that are there when a function begins.
  llvm::DenseMap<Operation *, uint64_t> frameBytes;

  // Of the function at hand.
  LLVM::LLVMFuncOp function;
  Value thread, operandWords, resultWords;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_INSTRUMENTER_H
