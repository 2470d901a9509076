//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/CPU.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/X86TargetParser.h"

using namespace llvm;
using namespace mlir::fpa;

static Expected<const Target *> lookupTarget(const Triple &triple) {
  static bool initialized = [] {
    InitializeNativeTarget();
    InitializeNativeTargetAsmPrinter();
    return true;
  }();
  (void)initialized;
  std::string message;
  if (const Target *target = TargetRegistry::lookupTarget(triple, message))
    return target;
  return createStringError("expected a target known to LLVM, got '" +
                           triple.str() + "'");
}

static std::string hostFeatures() {
  SubtargetFeatures features;
  for (const auto &feature : sys::getHostCPUFeatures())
    features.AddFeature(feature.first(), feature.second);
  return features.getString();
}

static int64_t lanesOf(const MCSubtargetInfo &info) {
  if (!info.getTargetTriple().isX86())
    return 4;
  return info.checkFeatures("+avx512f") ? 16
         : info.checkFeatures("+avx2")  ? 8
                                        : 4;
}

Expected<CPUTarget> mlir::fpa::getCPUTarget(StringRef name) {
  CPUTarget result;
  Triple triple(sys::getProcessTriple());
  Expected<const Target *> target = lookupTarget(triple);
  if (!target)
    return target.takeError();
  bool isHost = name == "host";
  result.triple = triple.str();
  result.cpu = isHost ? sys::getHostCPUName().str() : name.str();
  result.features = isHost ? hostFeatures() : "";
  if (!isHost) {
    // Asked with an empty name first: an unknown name makes LLVM print.
    std::unique_ptr<MCSubtargetInfo> any(
        (*target)->createMCSubtargetInfo(triple, "", ""));
    // LLVM reports a 32-bit CPU only when it makes code for it.
    bool isNarrow = triple.getArch() == Triple::x86_64 &&
                    X86::parseArchX86(name, /*Only64Bit=*/true) == X86::CK_None;
    if (!any || !any->isCPUStringValid(name) || isNarrow)
      return createStringError("expected 'host' or a CPU name of " +
                               triple.getArchName() + ", got '" + name + "'");
  }
  std::unique_ptr<MCSubtargetInfo> info(
      (*target)->createMCSubtargetInfo(triple, result.cpu, result.features));
  if (!info)
    return createStringError("no description of the CPU '" + result.cpu + "'");
  result.lanes = lanesOf(*info);
  // AVX-512 doubles the registers, and other architectures have 32 of 4 lanes.
  bool few = info->getTargetTriple().isX86() && result.lanes < 16;
  result.registers = few ? 16 : 32;
  return result;
}

Error mlir::fpa::checkRunsOnHost(const CPUTarget &cpu) {
  Triple triple(cpu.triple);
  Expected<const Target *> target = lookupTarget(triple);
  if (!target)
    return target.takeError();
  std::unique_ptr<MCSubtargetInfo> info(
      (*target)->createMCSubtargetInfo(triple, cpu.cpu, cpu.features));
  for (const auto &feature : sys::getHostCPUFeatures())
    if (info && !feature.second &&
        info->checkFeatures(("+" + feature.first()).str()))
      return createStringError("expected a CPU whose instructions this machine "
                               "has, got '" +
                               cpu.cpu + "', which has " + feature.first());
  return Error::success();
}

Expected<std::unique_ptr<TargetMachine>>
mlir::fpa::createTargetMachine(const CPUTarget &cpu, CodeGenOptLevel level) {
  Triple triple(cpu.triple);
  Expected<const Target *> target = lookupTarget(triple);
  if (!target)
    return target.takeError();
  TargetOptions options;
  std::unique_ptr<TargetMachine> machine(
      (*target)->createTargetMachine(triple, cpu.cpu, cpu.features, options,
                                     Reloc::PIC_, std::nullopt, level));
  if (!machine)
    return createStringError("no code generator for the CPU '" + cpu.cpu + "'");
  return std::move(machine);
}
