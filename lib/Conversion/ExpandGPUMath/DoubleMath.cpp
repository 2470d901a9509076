//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DoubleMath.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fpa;
using Predicate = arith::CmpFPredicate;

/// Adding it rounds to an integer, which then stands in the low bits.
static constexpr double roundingShift = 0x1.8p52;
static constexpr double log2e = 0x1.71547652b82fep0;
/// ln(2) in two parts; a product of the first with an exponent is exact.
static constexpr double ln2[] = {0x1.62e42fefa38p-1, 0x1.ef35793c7673p-45};
/// A turn's inverse, 1 / (2 pi), in parts of 29 bits: a product of one with a
/// number of f32 is exact. What they leave out is less than 2^-200.
static constexpr double perRadian[] = {
    0x1.45f306dp-3,   0x1.9391054p-32,  0x1.4fe13abp-61, 0x1.d1f534dp-90,
    0x1.b81b6c5p-119, 0x1.5993c43p-150, 0x1.2083fcap-179};
static constexpr double quarterTurn = 0x1.921fb54442d18p0;
static constexpr double infinity = std::numeric_limits<double>::infinity();

DoubleMath::DoubleMath(ImplicitLocOpBuilder &b, Type shape)
    : b(b), type(b.getF64Type()), bits(b.getI64Type()) {
  if (auto vector = dyn_cast<VectorType>(shape)) {
    type = vector.clone(type);
    bits = vector.clone(bits);
  }
}

Value DoubleMath::extend(Value x) {
  return x.getType() == type ? x : arith::ExtFOp::create(b, type, x);
}

Value DoubleMath::truncate(Value x, Type to) {
  return to == type ? x : arith::TruncFOp::create(b, to, x);
}

Value DoubleMath::convert(Value x) {
  return arith::SIToFPOp::create(b, type, x);
}

Value DoubleMath::real(double value) {
  TypedAttr attr = b.getF64FloatAttr(value);
  if (auto vector = dyn_cast<VectorType>(type))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value DoubleMath::integer(int64_t value) {
  TypedAttr attr = b.getI64IntegerAttr(value);
  if (auto vector = dyn_cast<VectorType>(bits))
    attr = DenseElementsAttr::get(vector, Attribute(attr));
  return arith::ConstantOp::create(b, attr);
}

Value DoubleMath::toBits(Value x) {
  return arith::BitcastOp::create(b, bits, x);
}

Value DoubleMath::fromBits(Value x) {
  return arith::BitcastOp::create(b, type, x);
}

Value DoubleMath::fma(Value x, Value y, Value z) {
  return math::FmaOp::create(b, x, y, z);
}

Value DoubleMath::magnitude(Value x) { return math::AbsFOp::create(b, x); }

Value DoubleMath::signOf(Value x, Value magnitude) {
  return math::CopySignOp::create(b, magnitude, x);
}

/// Lowest power first.
Value DoubleMath::polynomial(Value x, ArrayRef<double> coefficients) {
  Value sum = real(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, real(coefficient));
  return sum;
}

/// 2^n exp(r), n the integer next to x * perTurn, r = x * scale - n ln(2) where
/// `turn` is ln(2) / scale in parts.
Value DoubleMath::scaledExp(Value x, double perTurn, ArrayRef<double> turn) {
  // Beyond this the result is 0 or +inf. NaN passes, compares being false.
  for (double limit : {2000 / perTurn, -2000 / perTurn}) {
    Value most = real(limit);
    auto beyond = limit > 0 ? Predicate::OGT : Predicate::OLT;
    x = select(compare(beyond, x, most), most, x);
  }
  Value shift = real(roundingShift);
  Value shifted = fma(x, real(perTurn), shift);
  Value n = sub(shifted, shift);
  Value r = x;
  for (double part : turn)
    r = fma(n, real(-part), r);
  if (perTurn == 1)
    r = mul(r, real(ln2[0] + ln2[1]));

  // Taylor's series at most ln(2) / 2 away from 0.
  SmallVector<double> coefficients{1};
  for (int i = 1; i <= 13; ++i)
    coefficients.push_back(coefficients.back() / i);
  Value power = polynomial(r, coefficients);

  // 2^n in two factors, so that neither overflows before the result does.
  Value exponent = arith::SubIOp::create(b, toBits(shifted), toBits(shift));
  Value half = arith::ShRSIOp::create(b, exponent, integer(1));
  for (Value part :
       {half, arith::SubIOp::create(b, exponent, half).getResult()}) {
    Value biased = arith::AddIOp::create(b, part, integer(1023));
    power = mul(power, fromBits(arith::ShLIOp::create(b, biased, integer(52))));
  }
  return power;
}

Value DoubleMath::exp(Value x) { return scaledExp(x, log2e, ln2); }
Value DoubleMath::exp2(Value x) { return scaledExp(x, 1, {1.0}); }

/// log(x) = e ln(2) + 2 atanh(s), x = 2^e m, s = (m - 1) / (m + 1), m between
/// the roots of 1/2 and 2.
Value DoubleMath::log(Value x) {
  Value isTiny = compare(Predicate::OLT, x, real(0x1p-1022));
  Value scaled = select(isTiny, mul(x, real(0x1p54)), x);
  // The exponent steps where m would pass the root of 2.
  constexpr int64_t half = 0x3fe6a09e667f3bcd; // sqrt(1/2)
  Value steps = arith::ShRSIOp::create(
      b, arith::SubIOp::create(b, toBits(scaled), integer(half)), integer(52));
  Value m = fromBits(arith::SubIOp::create(
      b, toBits(scaled), arith::ShLIOp::create(b, steps, integer(52))));
  Value e = convert(steps);
  e = sub(e, select(isTiny, real(54), real(0)));

  Value s = div(sub(m, real(1)), add(m, real(1)));
  SmallVector<double> coefficients;
  for (int i = 3; i <= 23; i += 2)
    coefficients.push_back(2.0 / i);
  Value square = mul(s, s);
  Value tail = mul(mul(s, square), polynomial(square, coefficients));
  Value result =
      add(fma(s, real(2), fma(e, real(ln2[1]), tail)), mul(e, real(ln2[0])));

  auto replace = [&](Predicate predicate, double limit, Value by) {
    result = select(compare(predicate, x, real(limit)), by, result);
  };
  replace(Predicate::OEQ, 0, real(-infinity));
  replace(Predicate::ULT, 0, real(std::numeric_limits<double>::quiet_NaN()));
  replace(Predicate::OEQ, infinity, x);
  return result;
}

Value DoubleMath::log2(Value x) { return mul(log(x), real(log2e)); }
Value DoubleMath::log10(Value x) {
  return mul(log(x), real(0x1.bcb7b1526e50ep-2));
}

/// x where its cube no longer counts in f32, which keeps its sign if it is 0.
Value DoubleMath::smallAsItself(Value x, Value y) {
  Value isSmall = compare(Predicate::OLT, magnitude(x), real(0x1p-13));
  return select(isSmall, x, y);
}

Value DoubleMath::sinh(Value x) {
  Value power = exp(x);
  Value difference = sub(power, div(real(1), power));
  return smallAsItself(x, mul(difference, real(0.5)));
}

Value DoubleMath::cosh(Value x) {
  Value power = exp(x);
  return mul(add(power, div(real(1), power)), real(0.5));
}

Value DoubleMath::asinh(Value x) {
  Value size = magnitude(x);
  Value root = math::SqrtOp::create(b, fma(x, x, real(1)));
  return smallAsItself(x, signOf(x, log(add(size, root))));
}

Value DoubleMath::acosh(Value x) {
  Value square = mul(sub(x, real(1)), add(x, real(1)));
  Value result = log(add(x, math::SqrtOp::create(b, square)));
  // Below -1 the square has a root, too.
  Value isOutside = compare(Predicate::OLT, x, real(1));
  return select(isOutside, real(std::numeric_limits<double>::quiet_NaN()),
                result);
}

Value DoubleMath::atanh(Value x) {
  Value ratio = div(add(real(1), x), sub(real(1), x));
  return smallAsItself(x, mul(log(ratio), real(0.5)));
}

Value DoubleMath::pow(Value x, Value y) {
  auto isInteger = [&](Value value) {
    return compare(Predicate::OEQ, math::TruncOp::create(b, value), value);
  };
  Value size = magnitude(x);
  Value result = exp(mul(y, log(size)));
  // 1 to the power of infinities, too.
  Value isOne = compare(Predicate::OEQ, size, real(1));
  Value isNumber = compare(Predicate::ORD, y, y);
  result = select(arith::AndIOp::create(b, isOne, isNumber), real(1), result);
  // Below 0: a sign for odd powers, none for even ones, nothing between.
  Value isOdd = arith::AndIOp::create(
      b, isInteger(y),
      compare(Predicate::UNE, math::TruncOp::create(b, mul(y, real(0.5))),
              mul(y, real(0.5))));
  Value signedResult = select(isOdd, signOf(x, result), result);
  Value isBroken = arith::AndIOp::create(
      b, compare(Predicate::OLT, x, real(0)),
      compare(Predicate::UNE, math::TruncOp::create(b, y), y));
  Value isFinite = compare(Predicate::ONE, size, real(infinity));
  isBroken = arith::AndIOp::create(b, isBroken, isFinite);
  result = select(isBroken, real(std::numeric_limits<double>::quiet_NaN()),
                  signedResult);
  // Whatever the other one is.
  for (auto [value, neutral] : {std::pair(y, 0.0), std::pair(x, 1.0)})
    result =
        select(compare(Predicate::OEQ, value, real(neutral)), real(1), result);
  return result;
}

Value DoubleMath::cbrt(Value x) {
  return signOf(x, exp(mul(log(magnitude(x)), real(1.0 / 3))));
}

Value DoubleMath::atan2(Value y, Value x) {
  // The angle from the nearer axis, which is no more than an eighth of a turn.
  Value across = magnitude(x), up = magnitude(y);
  Value isSteep = compare(Predicate::OGT, up, across);
  Value least = select(isSteep, across, up);
  Value most = select(isSteep, up, across);
  Value slope = div(least, most);
  slope = select(compare(Predicate::OEQ, most, real(0)), real(0), slope);
  slope =
      select(compare(Predicate::OEQ, least, real(infinity)), real(1), slope);
  // From the diagonal, if that is nearer: tan(a - pi/4).
  Value isFar = compare(Predicate::OGT, slope, real(0x1.a827999fcef32p-2));
  Value s = select(isFar, div(sub(slope, real(1)), add(slope, real(1))), slope);
  SmallVector<double> coefficients;
  for (int i = 0; i < 18; ++i)
    coefficients.push_back((i % 2 ? -1.0 : 1.0) / (2 * i + 1));
  Value angle = mul(s, polynomial(mul(s, s), coefficients));
  angle = add(angle, select(isFar, real(quarterTurn / 2), real(0)));
  angle = select(isSteep, sub(real(quarterTurn), angle), angle);
  // The sign of a zero counts, too.
  Value isLeft = compare(Predicate::OLT, signOf(x, real(1)), real(0));
  angle = select(isLeft, sub(real(2 * quarterTurn), angle), angle);
  Value hasNaN = compare(Predicate::UNO, x, y);
  return signOf(y, select(hasNaN, add(x, y), angle));
}

Value DoubleMath::atan(Value x) { return atan2(x, real(1)); }

Value DoubleMath::asin(Value x) {
  Value square = mul(sub(real(1), x), add(real(1), x));
  return atan2(x, math::SqrtOp::create(b, square));
}

Value DoubleMath::acos(Value x) {
  Value square = mul(sub(real(1), x), add(real(1), x));
  return atan2(math::SqrtOp::create(b, square), x);
}

DoubleMath::Reduced DoubleMath::reduce(Value x) {
  // In turns, of which whole ones are of no interest.
  Value turns = real(0);
  for (double part : perRadian) {
    Value product = mul(x, real(part));
    turns = add(turns, sub(product, math::RoundEvenOp::create(b, product)));
  }
  turns = mul(turns, real(4));
  Value n = math::RoundEvenOp::create(b, turns);
  Value r = mul(sub(turns, n), real(quarterTurn));
  Value square = mul(r, r);
  // Taylor's series at most an eighth of a turn away from 0.
  SmallVector<double> sine{1}, cosine{1};
  for (int i = 2; i <= 14; i += 2) {
    sine.push_back(-sine.back() / (i * (i + 1)));
    cosine.push_back(-cosine.back() / (i * (i - 1)));
  }
  // n modulo 4, as -2 to 2.
  Value whole = math::RoundEvenOp::create(b, mul(n, real(0.25)));
  return {mul(r, polynomial(square, sine)), polynomial(square, cosine),
          fma(whole, real(-4), n)};
}

/// The first at even quarters of a turn, the second at odd ones.
Value DoubleMath::pickQuarter(Value even, Value odd, Value quarters) {
  Value isOdd = compare(Predicate::OEQ, magnitude(quarters), real(1));
  return select(isOdd, odd, even);
}

Value DoubleMath::sin(Value x) {
  auto [sine, cosine, quarters] = reduce(x);
  Value result = pickQuarter(sine, cosine, quarters);
  // Quarters -2, -1 and 2 are in the lower half.
  Value isLower =
      arith::OrIOp::create(b, compare(Predicate::OLT, quarters, real(0)),
                           compare(Predicate::OEQ, quarters, real(2)));
  result = select(isLower, arith::NegFOp::create(b, result), result);
  return smallAsItself(x, result);
}

Value DoubleMath::cos(Value x) {
  auto [sine, cosine, quarters] = reduce(x);
  Value result = pickQuarter(cosine, sine, quarters);
  // Quarters 1, 2 and -2 are in the left half.
  Value isLeft =
      arith::OrIOp::create(b, compare(Predicate::OGT, quarters, real(0)),
                           compare(Predicate::OEQ, quarters, real(-2)));
  return select(isLeft, arith::NegFOp::create(b, result), result);
}

Value DoubleMath::tan(Value x) {
  auto [sine, cosine, quarters] = reduce(x);
  Value odd = arith::NegFOp::create(b, div(cosine, sine));
  return smallAsItself(x, pickQuarter(div(sine, cosine), odd, quarters));
}

Value DoubleMath::remainder(Value x, Value y) {
  Value rest = magnitude(x), divisor = magnitude(y);
  // A quotient of two numbers of f32 has at most 277 bits. With 29 of them at a
  // time each product is exact, and so is what it leaves.
  for (int step = 9; step >= 0; --step) {
    Value scaled = mul(divisor, real(std::ldexp(1.0, 28 * step)));
    Value quotient = math::TruncOp::create(b, div(rest, scaled));
    rest = fma(arith::NegFOp::create(b, quotient), scaled, rest);
    // The quotient may have been rounded up to the next integer.
    Value isBelow = compare(Predicate::OLT, rest, real(0));
    rest = select(isBelow, add(rest, scaled), rest);
  }
  // Infinity leaves a finite number as it is.
  Value isInfinite = compare(Predicate::OEQ, divisor, real(infinity));
  rest = select(isInfinite, add(magnitude(x), sub(x, x)), rest);
  return signOf(x, rest);
}
