//===- FpaOpBase.td - What ops of the fpa dialect share ----*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPAOPBASE_TD
#define FPA_DIALECT_IR_FPAOPBASE_TD

include "fpa/Dialect/IR/FpaDialect.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

class Fpa_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fpa_Dialect, mnemonic, traits>;

/// Ops on tensors or memrefs that write into their `outs`. On tensors they have
/// no effects and may be speculated; on memrefs they read ins and write outs.
class Fpa_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Fpa_Op<mnemonic, !listconcat([
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>
      ], traits)> {
  code baseDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
  }];
  let extraClassDeclaration = baseDeclaration;
  let hasVerifier = 1;
}

#endif // FPA_DIALECT_IR_FPAOPBASE_TD
