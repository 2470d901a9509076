//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A module of fpa and upstream ops, compiled for the host and ready to be
// called.

#ifndef FPA_EXECUTIONENGINE_COMPILEDMODULE_H
#define FPA_EXECUTIONENGINE_COMPILEDMODULE_H

#include "fpa/ExecutionEngine/Executable.h"
#include "fpa/Pipelines/CPUPipeline.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Target/CPU.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/ADT/StringMap.h"

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir {
class PassManager;

namespace fpa {

/// A context that knows every dialect the CPU path needs, without threads.
std::unique_ptr<MLIRContext> createContext();

/// Parses and verifies a file ("-" is standard input) or a text.
llvm::Expected<OwningOpRef<ModuleOp>> parseModuleFile(StringRef path,
                                                      MLIRContext &context);
llvm::Expected<OwningOpRef<ModuleOp>> parseModuleText(StringRef text,
                                                      MLIRContext &context);

struct CompileOptions {
  CPUTarget target;
  CPUStrategy strategy = CPUStrategy::Tile;
  /// More options of fpa-cpu-pipeline, as text.
  std::string pipeline;
  /// Compute everything in float64 and fpa's ops by the reference, whatever the
  /// strategy. Inputs and outputs are float64 then.
  bool reference = false;
};

/// Leaves in `module` what `entries` need, inlines it, and gives the entries a
/// C interface. Their inputs become read-only unless the text says otherwise.
/// Fails where they call a function that is declared only.
llvm::Error prepareEntries(ModuleOp module, ArrayRef<StringRef> entries);

/// Promotes a prepared module to float64, with fpa's ops computed by the
/// reference.
llvm::Error convertToReference(ModuleOp module);

/// Runs the CPU pipeline on a prepared module, stage by stage.
llvm::Error lowerToLLVMDialect(ModuleOp module, const CompileOptions &options,
                               SmallVectorImpl<StageTime> *stages = nullptr);

class CompiledModule : public Executable {
public:
  /// Compiles `module`, which is changed. Every one of `entries` is callable.
  static llvm::Expected<std::unique_ptr<CompiledModule>>
  compile(ModuleOp module, ArrayRef<StringRef> entries,
          const CompileOptions &options);

  /// What compile makes of the same module, entries and options, from the
  /// object code that it left then, on a machine of the same kind.
  static llvm::Expected<std::unique_ptr<CompiledModule>>
  load(ModuleOp module, ArrayRef<StringRef> entries,
       const CompileOptions &options, StringRef object);
  ~CompiledModule() override;

  StringRef getObject() const { return {object.data(), object.size()}; }

  /// The entry's signature, or null for an unknown name.
  const EntrySignature *getSignature(StringRef entry) const;

  /// Whether `inputs` fit the entry, dynamic sizes included.
  llvm::Error check(StringRef entry, ArrayRef<Tensor> inputs) const;

  llvm::Expected<SmallVector<Tensor>>
  invoke(StringRef entry, ArrayRef<Tensor> inputs) const override;

  int64_t getMemoryPeak() const override;

private:
  CompiledModule();

  struct Entry {
    EntrySignature signature;
    ShapeRules rules;
    void *address = nullptr;
  };
  /// Prepares the module and fills `entries`, all but the addresses.
  llvm::Error readEntries(ModuleOp module, ArrayRef<StringRef> names,
                          const CompileOptions &options);
  /// Finds what the entry's inputs must satisfy, and makes the entry check the
  /// rest itself.
  void readRules(func::FuncOp entry, ShapeRules &rules);
  llvm::Error link();
  /// Of a call that ended early.
  llvm::Error describe(const fpa_failure &failure) const;

  /// By the numbers that the code names them with.
  SmallVector<ShapeRules::Rule> lateRules;
  /// Numbered after the rules.
  SmallVector<SmoothCheck> smoothChecks;
  /// What to say of a failed assertion; these are numbered after the checks.
  SmallVector<std::string> assertions;
  llvm::StringMap<Entry> entries;
  llvm::SmallVector<char, 0> object;
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

} // namespace fpa
} // namespace mlir

#endif // FPA_EXECUTIONENGINE_COMPILEDMODULE_H
