//===- DoubleMath.h - Functions in double precision -------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_EXPANDGPUMATH_DOUBLEMATH_H
#define FPA_LIB_CONVERSION_EXPANDGPUMATH_DOUBLEMATH_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::fpa {

/// Emits functions of f64, or of vectors of it, as arithmetic. What is done in
/// double precision for an f32 needs no care for roundings on the way.
class DoubleMath {
public:
  /// `shape` is the type of a value, of any elements.
  DoubleMath(ImplicitLocOpBuilder &b, Type shape);

  /// From any float type, exactly, and back, rounded once.
  Value extend(Value x);
  Value truncate(Value x, Type type);
  /// From an integer.
  Value convert(Value x);

  /// Off by a few units in the last place of f64.
  Value exp(Value x);
  Value exp2(Value x);
  Value log(Value x);
  Value log2(Value x);
  Value log10(Value x);

  // Off by less than 2^-40, where x is a number of f32. Near 0, where they are
  // differences of numbers near 1, those that are odd are taken as x.
  Value sinh(Value x);
  Value cosh(Value x);
  Value asinh(Value x);
  Value acosh(Value x);
  Value atanh(Value x);
  Value asin(Value x);
  Value acos(Value x);
  Value atan(Value x);
  /// The angle of (x, y), between -pi and pi.
  Value atan2(Value y, Value x);
  Value cbrt(Value x);
  /// x^y for numbers of f32 or integers y.
  Value pow(Value x, Value y);
  Value sin(Value x);
  Value cos(Value x);
  Value tan(Value x);
  /// x - y trunc(x / y), which is exact.
  Value remainder(Value x, Value y);

private:
  Value real(double value);
  Value integer(int64_t value);
  Value toBits(Value x);
  Value fromBits(Value bits);
  Value add(Value x, Value y) { return arith::AddFOp::create(b, x, y); }
  Value sub(Value x, Value y) { return arith::SubFOp::create(b, x, y); }
  Value mul(Value x, Value y) { return arith::MulFOp::create(b, x, y); }
  Value div(Value x, Value y) { return arith::DivFOp::create(b, x, y); }
  Value fma(Value x, Value y, Value z);
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(b, condition, x, y);
  }
  Value compare(arith::CmpFPredicate predicate, Value x, Value y) {
    return arith::CmpFOp::create(b, predicate, x, y);
  }
  Value magnitude(Value x);
  Value signOf(Value x, Value magnitude);
  Value polynomial(Value x, ArrayRef<double> coefficients);
  Value scaledExp(Value x, double perTurn, ArrayRef<double> turn);
  Value smallAsItself(Value x, Value y);
  /// Sine and cosine of what x is past the nearest multiple of a quarter of a
  /// turn, and how many of those, from -2 to 2.
  struct Reduced {
    Value sin, cos, quarters;
  };
  Reduced reduce(Value x);
  Value pickQuarter(Value even, Value odd, Value quarters);

  ImplicitLocOpBuilder &b;
  Type type, bits;
};

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_EXPANDGPUMATH_DOUBLEMATH_H
