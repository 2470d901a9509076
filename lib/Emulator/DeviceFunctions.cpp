//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeviceFunctions.h"
#include "SmallFloats.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir::fpa;
using llvm::ArrayRef;
using llvm::StringRef;

/// Flushes a subnormal number to zero, as instructions with .ftz do.
static float flush(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

/// The approximations of the hardware are off by a few units in the last place;
/// these are not.
static float exp2Ftz(float x) { return flush(std::exp2(flush(x))); }
static float log2Ftz(float x) { return flush(std::log2(flush(x))); }
static float reciprocal(float x) { return 1.0f / x; }
static float reciprocalFtz(float x) { return flush(1.0f / flush(x)); }
static float reciprocalRoot(float x) { return 1.0f / std::sqrt(x); }
static float reciprocalRootFtz(float x) {
  return flush(1.0f / std::sqrt(flush(x)));
}
static float minFtz(float x, float y) { return std::fmin(flush(x), flush(y)); }
static float maxFtz(float x, float y) { return std::fmax(flush(x), flush(y)); }
static float minNaN(float x, float y) {
  return std::isnan(x) || std::isnan(y) ? NAN : std::fmin(x, y);
}
static float maxNaN(float x, float y) {
  return std::isnan(x) || std::isnan(y) ? NAN : std::fmax(x, y);
}
static float exp10Single(float x) { return std::pow(10.0f, x); }
static float divide(float x, float y) { return x / y; }
static double reciprocalDouble(double x) { return 1.0 / x; }
static double reciprocalRootDouble(double x) { return 1.0 / std::sqrt(x); }

static uint32_t pairToBFloat(float high, float low) {
  return toBFloat(high) << 16 | toBFloat(low);
}
static uint32_t pairToHalf(float high, float low) {
  return toHalf(high) << 16 | toHalf(low);
}

/// Rounds to 10 bits of fraction, halves away from zero.
static uint32_t toTF32(float x) {
  return std::isfinite(x) ? (toBits(x) + 0x1000) & 0xffffe000u : toBits(x);
}
/// The same, halves to even.
static uint32_t toTF32Even(float x) {
  uint32_t bits = toBits(x);
  return std::isfinite(x) ? (bits + 0xfff + (bits >> 13 & 1)) & 0xffffe000u
                          : bits;
}

/// Each nibble of `selector` picks a byte of high:low, or its sign.
static uint32_t permute(uint32_t low, uint32_t high, uint32_t selector) {
  uint64_t bytes = uint64_t(high) << 32 | low;
  uint32_t result = 0;
  for (int i = 0; i < 4; ++i) {
    uint32_t nibble = selector >> (4 * i) & 15;
    uint32_t byte = bytes >> (8 * (nibble & 7)) & 255;
    if (nibble & 8)
      byte = byte & 128 ? 255 : 0;
    result |= byte << (8 * i);
  }
  return result;
}

// The compiler's own conversions: 16-bit floats travel in the low bits of a
// vector register, as floats do.
static float compilerToBFloat(float x) { return fromBits(toBFloat(x)); }
static float compilerToHalf(float x) { return fromBits(toHalf(x)); }
static float compilerFromHalf(float x) { return fromHalf(toBits(x)); }

template <typename Function> static void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}
using Single1 = float(float);
using Single2 = float(float, float);
using Single3 = float(float, float, float);
using Double1 = double(double);
using Double2 = double(double, double);
using Double3 = double(double, double, double);

ArrayRef<DeviceFunction> mlir::fpa::getLibraryFunctions() {
  static const DeviceFunction functions[] = {
      {"__nv_exp2f", address<Single1>(std::exp2)},
      {"__nv_expf", address<Single1>(std::exp)},
      {"__nv_fast_expf", address<Single1>(std::exp)},
      {"__nv_exp10f", address(exp10Single)},
      {"__nv_expm1f", address<Single1>(std::expm1)},
      {"__nv_log2f", address<Single1>(std::log2)},
      {"__nv_fast_log2f", address<Single1>(std::log2)},
      {"__nv_logf", address<Single1>(std::log)},
      {"__nv_fast_logf", address<Single1>(std::log)},
      {"__nv_log10f", address<Single1>(std::log10)},
      {"__nv_log1pf", address<Single1>(std::log1p)},
      {"__nv_sqrtf", address<Single1>(std::sqrt)},
      {"__nv_rsqrtf", address(reciprocalRoot)},
      {"__nv_fabsf", address<Single1>(std::fabs)},
      {"__nv_floorf", address<Single1>(std::floor)},
      {"__nv_ceilf", address<Single1>(std::ceil)},
      {"__nv_truncf", address<Single1>(std::trunc)},
      {"__nv_roundf", address<Single1>(std::round)},
      {"__nv_rintf", address<Single1>(std::rint)},
      {"__nv_tanhf", address<Single1>(std::tanh)},
      {"__nv_sinf", address<Single1>(std::sin)},
      {"__nv_cosf", address<Single1>(std::cos)},
      {"__nv_erff", address<Single1>(std::erf)},
      {"__nv_fminf", address<Single2>(std::fmin)},
      {"__nv_fmaxf", address<Single2>(std::fmax)},
      {"__nv_fmodf", address<Single2>(std::fmod)},
      {"__nv_powf", address<Single2>(std::pow)},
      {"__nv_copysignf", address<Single2>(std::copysign)},
      {"__nv_fast_fdividef", address(divide)},
      {"__nv_fmaf", address<Single3>(std::fma)},
      {"__nv_exp2", address<Double1>(std::exp2)},
      {"__nv_exp", address<Double1>(std::exp)},
      {"__nv_log2", address<Double1>(std::log2)},
      {"__nv_log", address<Double1>(std::log)},
      {"__nv_log1p", address<Double1>(std::log1p)},
      {"__nv_sqrt", address<Double1>(std::sqrt)},
      {"__nv_rsqrt", address(reciprocalRootDouble)},
      {"__nv_fabs", address<Double1>(std::fabs)},
      {"__nv_fmin", address<Double2>(std::fmin)},
      {"__nv_fmax", address<Double2>(std::fmax)},
      {"__nv_pow", address<Double2>(std::pow)},
      {"__nv_fma", address<Double3>(std::fma)},
  };
  return functions;
}

ArrayRef<DeviceFunction> mlir::fpa::getIntrinsicFunctions() {
  static const DeviceFunction functions[] = {
      {"llvm.nvvm.ex2.approx", address<Single1>(std::exp2)},
      {"llvm.nvvm.ex2.approx.ftz", address(exp2Ftz)},
      {"llvm.nvvm.lg2.approx", address<Single1>(std::log2)},
      {"llvm.nvvm.lg2.approx.ftz", address(log2Ftz)},
      {"llvm.nvvm.rcp.approx", address(reciprocal)},
      {"llvm.nvvm.rcp.rn", address(reciprocal)},
      {"llvm.nvvm.rcp.approx.ftz", address(reciprocalFtz)},
      {"llvm.nvvm.rcp.rn.d", address(reciprocalDouble)},
      {"llvm.nvvm.sqrt.approx", address<Single1>(std::sqrt)},
      {"llvm.nvvm.sqrt.rn", address<Single1>(std::sqrt)},
      {"llvm.nvvm.sqrt.rn.d", address<Double1>(std::sqrt)},
      {"llvm.nvvm.rsqrt.approx", address(reciprocalRoot)},
      {"llvm.nvvm.rsqrt.approx.ftz", address(reciprocalRootFtz)},
      {"llvm.nvvm.fma.rn", address<Single3>(std::fma)},
      {"llvm.nvvm.fmin", address<Single2>(std::fmin)},
      {"llvm.nvvm.fmax", address<Single2>(std::fmax)},
      {"llvm.nvvm.fmin.ftz", address(minFtz)},
      {"llvm.nvvm.fmax.ftz", address(maxFtz)},
      {"llvm.nvvm.fmin.nan", address(minNaN)},
      {"llvm.nvvm.fmax.nan", address(maxNaN)},
      {"llvm.nvvm.div.approx", address(divide)},
      {"llvm.nvvm.floor", address<Single1>(std::floor)},
      {"llvm.floor.f64", address<Double1>(std::floor)},
      {"llvm.ceil", address<Single1>(std::ceil)},
      {"llvm.ceil.f64", address<Double1>(std::ceil)},
      {"llvm.round", address<Single1>(std::round)},
      {"llvm.round.f64", address<Double1>(std::round)},
      {"llvm.roundeven", address<Single1>(std::rint)},
      {"llvm.roundeven.f64", address<Double1>(std::rint)},
      {"llvm.nvvm.ff2bf16x2.rn", address(pairToBFloat)},
      {"llvm.nvvm.ff2f16x2.rn", address(pairToHalf)},
      {"llvm.nvvm.f2tf32.rna", address(toTF32)},
      {"llvm.nvvm.f2tf32.rn", address(toTF32Even)},
      {"llvm.nvvm.prmt", address(permute)},
  };
  return functions;
}

ArrayRef<DeviceFunction> mlir::fpa::getCompilerFunctions() {
  static const DeviceFunction functions[] = {
      {"__truncsfbf2", address(compilerToBFloat)},
      {"__truncsfhf2", address(compilerToHalf)},
      {"__extendhfsf2", address(compilerFromHalf)},
  };
  return functions;
}

const DeviceFunction *mlir::fpa::findIntrinsic(StringRef name) {
  auto find = [&](StringRef name) {
    return llvm::find_if(getIntrinsicFunctions(),
                         [&](const auto &f) { return f.name == name; });
  };
  const DeviceFunction *found = find(name);
  if (found != getIntrinsicFunctions().end())
    return found;
  for (StringRef suffix : {".f", ".f32"})
    if (name.ends_with(suffix)) {
      found = find(name.drop_back(suffix.size()));
      if (found != getIntrinsicFunctions().end())
        return found;
    }
  return nullptr;
}

std::string mlir::fpa::getHostName(const DeviceFunction &intrinsic) {
  return ("fpa." + intrinsic.name).str();
}

bool mlir::fpa::isLibraryFunction(StringRef name) {
  return llvm::any_of(getLibraryFunctions(),
                      [&](const auto &f) { return f.name == name; });
}
