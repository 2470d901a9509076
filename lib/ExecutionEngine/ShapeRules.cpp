//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"
#include "SizeNode.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Twine;

bool ShapeRules::Rule::holds(int64_t size, int64_t first,
                             int64_t second) const {
  switch (kind) {
  case Kind::Equal:
    return size == first;
  case Kind::MultipleOf:
    return first == 0 ? size == 0 : size % first == 0;
  case Kind::OneOf:
    return size == first || size == second;
  case Kind::AtLeast:
    return size >= first;
  }
  llvm_unreachable("every kind of rule");
}

std::string ShapeRules::Rule::getExpected(const Twine &first,
                                          const Twine &second) const {
  switch (kind) {
  case Kind::Equal:
    return first.str();
  case Kind::MultipleOf:
    return ("a multiple of " + first).str();
  case Kind::OneOf:
    return (first + " or " + second).str();
  case Kind::AtLeast:
    return ("at least " + first).str();
  }
  llvm_unreachable("every kind of rule");
}

std::string ShapeRules::Rule::findBroken(int64_t size, int64_t first,
                                         int64_t second) const {
  // Every call comes by here, and nearly none has anything to say.
  return holds(size, first, second) ? ""
                                    : getExpected(Twine(first), Twine(second));
}

std::string ShapeRules::Rule::describe(const Twine &expected,
                                       const Twine &size) const {
  return (op + ": expected " + what + " to be " + expected + " as " + as +
          ", got " + size)
      .str();
}

/// What a rule expects of its size where it does not hold on `inputs`, else
/// nothing. A rule about sizes that cannot be computed holds.
static std::string findBroken(const ShapeRules::Rule &rule,
                              ArrayRef<Tensor> inputs) {
  std::optional<int64_t> size = rule.size.evaluate(inputs);
  std::optional<int64_t> first = rule.first.evaluate(inputs);
  std::optional<int64_t> second = rule.second.evaluate(inputs);
  if (!size || !first || !second)
    return "";
  return rule.findBroken(*size, *first, *second);
}

/// Whether a rule holds whatever the sizes are.
static bool alwaysHolds(const ShapeRules::Rule &rule) {
  if (rule.size.isSame(rule.first))
    return true;
  if (rule.kind == ShapeRules::Kind::OneOf && rule.size.isSame(rule.second))
    return true;
  const SizeExpression::Node *size = rule.size.getNode();
  const SizeExpression::Node *first = rule.first.getNode();
  bool isSize = size->kind == SizeExpression::Node::Kind::Input;
  if (rule.kind == ShapeRules::Kind::AtLeast && isSize &&
      rule.first.isNumber() && first->value <= 0)
    return true;
  bool isDecided =
      rule.size.isNumber() && rule.first.isNumber() && rule.second.isNumber();
  return isDecided && findBroken(rule, {}).empty();
}

void RuleBuilder::setOp(Operation *op) {
  current = op;
  // A loop may run no turn; that its ops fit is asked for all the same, so that
  // it is told before any work.
  isConditional = false;
  for (; !isa<func::FuncOp>(op->getParentOp()); op = op->getParentOp())
    isConditional |= !isa<scf::ForOp, scf::ForallOp>(op->getParentOp());
  isConditional |= !op->getBlock()->isEntryBlock();
}

void RuleBuilder::add(ShapeRules::Kind kind,
                      const std::optional<SizeExpression> &size,
                      const Twine &what,
                      const std::optional<SizeExpression> &first,
                      const Twine &as,
                      const std::optional<SizeExpression> &second) {
  if (!size || !first || !second)
    return;
  ShapeRules::Rule rule{kind,
                        tracer.resolve(*size),
                        tracer.resolve(*first),
                        tracer.resolve(*second),
                        what.str(),
                        as.str(),
                        current->getName().getStringRef().str()};
  if (alwaysHolds(rule))
    return;
  bool isKnown =
      rule.size.isKnown() && rule.first.isKnown() && rule.second.isKnown();
  if (isKnown && !isConditional)
    rules.rules.push_back(std::move(rule));
  else if (late)
    late->push_back({std::move(rule), current});
}

namespace {
/// One dimension of an operand, with the name that messages give it.
struct Dim {
  Value value;
  int64_t dim;
  StringRef name;
};

class Collector {
public:
  Collector(ShapeRules &rules, SmallVectorImpl<ShapeRules::LateRule> *late)
      : rules(rules), builder(rules, late) {}

  void visit(Operation *op) {
    builder.setOp(op);
    addTensorRules(op, builder);
    addMemRefRules(op, builder);
    if (auto loop = dyn_cast<scf::ForOp>(op))
      visitLoop(loop);
    if (auto attention = dyn_cast<AttentionOp>(op))
      visitForward(attention);
    else if (auto attention = dyn_cast<AttentionBackwardOp>(op))
      visitBackward(attention);
    else if (auto attention = dyn_cast<CachedAttentionOp>(op))
      visitCachedAttention(attention);
    else if (auto update = dyn_cast<UpdateCacheOp>(op))
      visitCache(update);
    else if (auto live = dyn_cast<LiveKeysOp>(op))
      visitLiveKeys(live);
    else if (auto prefix = dyn_cast<PrefixMinOp>(op))
      visitPrefix(prefix.getInput(), prefix.getOuts());
    else if (auto prefix = dyn_cast<PrefixSumOp>(op))
      visitPrefix(prefix.getInput(), prefix.getOuts());
    else if (auto backward = dyn_cast<PrefixMinBackwardOp>(op))
      visitPrefixBackward(backward);
    else if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      addLinalgRules(linalgOp, builder);
    else if (op->hasTrait<OpTrait::Elementwise>())
      visitElementwise(op);
  }

private:
  void add(ShapeRules::Kind kind, Dim size, Dim first, Dim second = {}) {
    if (!size.value || !first.value)
      return;
    auto trace = [&](const Dim &dim) {
      return builder.tracer.traceSize(dim.value, dim.dim);
    };
    auto text = [](const Dim &dim) {
      return (dim.name + " dimension " + Twine(dim.dim)).str();
    };
    builder.add(kind, trace(size), text(size), trace(first), text(first),
                second.value ? trace(second) : SizeExpression::ofNumber(0));
  }
  void atLeastOne(Dim size, StringRef as) {
    builder.add(ShapeRules::Kind::AtLeast,
                builder.tracer.traceSize(size.value, size.dim),
                size.name + " dimension " + Twine(size.dim),
                SizeExpression::ofNumber(1), as);
  }
  void equal(Dim size, Dim as) { add(ShapeRules::Kind::Equal, size, as); }

  /// [A6] of docs/Spec.md.
  void addHeads(Value query, Value key, Value value) {
    atLeastOne({key, 1, "key"}, "the least number of heads");
    atLeastOne({key, 3, "key"}, "the least head size");
    atLeastOne({value, 3, "value"}, "the least head size");
    add(ShapeRules::Kind::MultipleOf, {query, 1, "query"}, {key, 1, "key"});
  }

  /// What attention and its backward have in common.
  void visitAttention(AttentionOpInterface op) {
    Value query = op.getQuery(), key = op.getKey(), value = op.getValue();
    Value field = op.getField(), level = op.getLevel();
    using Kind = ShapeRules::Kind;
    std::pair<Value, StringRef> batched[] = {
        {key, "key"}, {value, "value"}, {field, "field"}, {level, "level"}};
    for (auto [operand, name] : batched)
      equal({operand, 0, name}, {query, 0, "query"});
    equal({value, 1, "value"}, {key, 1, "key"});
    addHeads(query, key, op.getValue());
    add(Kind::OneOf, {field, 1, "field"}, {key, 1, "key"}, {query, 1, "query"});
    equal({level, 1, "level"}, {field, 1, "field"});
    equal({key, 3, "key"}, {query, 3, "query"});
    equal({value, 2, "value"}, {key, 2, "key"});
    equal({field, 2, "field"}, {key, 2, "key"});
    equal({level, 2, "level"}, {key, 2, "key"});
    addSmooth(op);
    if (!op.isPacked())
      return;
    equal({op.getCuSeqlensK(), 0, "cu_seqlens_k"},
          {op.getCuSeqlensQ(), 0, "cu_seqlens_q"});
    addBounds(op.getCuSeqlensQ(), query, "cu_seqlens_q");
    addBounds(op.getCuSeqlensK(), key, "cu_seqlens_k");
  }

  /// An operand of the shape of another one.
  void like(Value operand, StringRef name, Value other, StringRef otherName) {
    auto type =
        dyn_cast_or_null<ShapedType>(operand ? operand.getType() : Type());
    for (int64_t d = 0, e = type ? type.getRank() : 0; d < e; ++d)
      equal({operand, d, name}, {other, d, otherName});
  }

  /// One head size, that of the values, for each row of the queries.
  template <typename Op> void addOutput(Op op, Value output, StringRef name) {
    for (int64_t d : {0, 1, 2})
      equal({output, d, name}, {op.getQuery(), d, "query"});
    equal({output, 3, name}, {op.getValue(), 3, "value"});
  }

  /// A loop that does not get on would run for ever.
  void visitLoop(scf::ForOp op) {
    builder.add(ShapeRules::Kind::AtLeast,
                builder.tracer.traceIndex(op.getStep()), "step",
                SizeExpression::ofNumber(1), "that of a loop");
  }
  void visitForward(AttentionOp op) {
    visitAttention(cast<AttentionOpInterface>(op.getOperation()));
    addOutput(op, op.getOutput(), "output");
    std::pair<Value, StringRef> rows[] = {{op.getLse(), "lse"},
                                          {op.getDropped(), "dropped"},
                                          {op.getSkipped(), "skipped"},
                                          {op.getEnded(), "ended"}};
    for (auto [operand, name] : rows)
      like(operand, name, op.getQuery(), "query");
  }

  void visitBackward(AttentionBackwardOp op) {
    visitAttention(cast<AttentionOpInterface>(op.getOperation()));
    addOutput(op, op.getOutput(), "output");
    addOutput(op, op.getOutputGradient(), "output_gradient");
    like(op.getLse(), "lse", op.getQuery(), "query");
    like(op.getLseGradient(), "lse_gradient", op.getQuery(), "query");
    like(op.getQueryGradient(), "gradient of query", op.getQuery(), "query");
    like(op.getKeyGradient(), "gradient of key", op.getKey(), "key");
    like(op.getValueGradient(), "gradient of value", op.getValue(), "value");
    like(op.getFieldGradient(), "gradient of field", op.getField(), "field");
    like(op.getLevelGradient(), "gradient of level", op.getLevel(), "level");
    if (op.getCounts()) {
      like(op.getNumbers()[0], "skipped", op.getQuery(), "query");
      like(op.getNumbers()[1], "ended", op.getQuery(), "query");
    }
  }

  /// The new tokens and the cache of one op, of batches and heads as the key.
  template <typename Op> void visitCache(Op op) {
    Value key = op.getKey(), cachedKey = op.getCachedKey();
    Dim batches = {key, 0, "key"}, heads = {key, 1, "key"};
    equal({op.getLengths(), 0, "lengths"}, batches);
    std::pair<Value, StringRef> operands[] = {
        {op.getValue(), "value"},
        {op.getField(), "field"},
        {op.getLevel(), "level"},
        {cachedKey, "cached_key"},
        {op.getCachedValue(), "cached_value"},
        {op.getCachedLevel(), "cached_level"},
        {op.getCachedMinimum(), "cached_minimum"},
        {op.getCount(), "count"}};
    for (auto [index, operand] : llvm::enumerate(operands)) {
      auto [value, name] = operand;
      equal({value, 0, name}, batches);
      equal({value, 1, name}, heads);
      if (index < 3)
        equal({value, 2, name}, {key, 2, "key"});
      else if (value != op.getCount())
        equal({value, 2, name}, {cachedKey, 2, "cached_key"});
    }
    equal({cachedKey, 3, "cached_key"}, {key, 3, "key"});
    equal({op.getCachedValue(), 3, "cached_value"},
          {op.getValue(), 3, "value"});
  }

  void visitCachedAttention(CachedAttentionOp op) {
    visitCache(op);
    Value query = op.getQuery(), key = op.getKey();
    equal({query, 0, "query"}, {key, 0, "key"});
    addHeads(query, key, op.getValue());
    equal({query, 2, "query"}, {key, 2, "key"});
    equal({query, 3, "query"}, {key, 3, "key"});
    addOutput(op, op.getOutput(), "output");
    like(op.getLse(), "lse", query, "query");
  }

  void visitLiveKeys(LiveKeysOp op) {
    for (auto [operand, name] :
         {std::pair<Value, StringRef>{op.getLevel(), "level"},
          {op.getOuts()[0], "penalty"},
          {op.getOuts()[2], "order"}})
      for (int64_t d : {0, 1, 2})
        equal({operand, d, name}, {op.getField(), d, "field"});
    for (int64_t d : {0, 1})
      equal({op.getOuts()[1], d, "count"}, {op.getField(), d, "field"});
  }

  void addSmooth(AttentionOpInterface op) {
    if (!op.getBeta())
      return;
    if (std::optional<int64_t> input = findInput(op.getBeta()))
      rules.smooth.push_back({*input, op.getAccumulatorType().isF64()});
  }

  void addBounds(Value cuSeqlens, Value packed, StringRef name) {
    std::optional<int64_t> input = findInput(cuSeqlens);
    std::optional<SizeExpression> length = builder.tracer.traceSize(packed, 2);
    if (input && length)
      rules.bounds.push_back({*input, *length, name.str()});
  }

  void visitPrefix(Value input, ValueRange outs) {
    auto type = dyn_cast<ShapedType>(input.getType());
    for (int64_t d = 0, e = type ? type.getRank() : 0; d < e; ++d)
      for (Value out : outs)
        equal({out, d, "output"}, {input, d, "input"});
  }

  void visitPrefixBackward(PrefixMinBackwardOp op) {
    for (int64_t d = 0, e = op.getIndexType().getRank(); d < e; ++d) {
      Dim index = {op.getIndex(), d, "index"};
      equal({op.getGradient(), d, "gradient"}, index);
      equal({op.getOuts()[0], d, "output"}, index);
    }
  }

  /// A scalar among the operands, as of a select, is one for all elements.
  void visitElementwise(Operation *op) {
    std::optional<unsigned> first;
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      auto type = dyn_cast<RankedTensorType>(operand.getType());
      if (!type)
        continue;
      if (!first)
        first = i;
      std::string name = "operand " + std::to_string(i);
      std::string firstName = "operand " + std::to_string(*first);
      for (int64_t d = 0, e = type.getRank(); d < e; ++d)
        equal({operand, d, name}, {op->getOperand(*first), d, firstName});
    }
  }

  ShapeRules &rules;
  RuleBuilder builder;
};
} // namespace

static ShapeRules collectRules(func::FuncOp entry,
                               SmallVectorImpl<ShapeRules::LateRule> *late) {
  ShapeRules rules;
  Collector collector(rules, late);
  entry.walk([&](Operation *op) {
    if (op != entry)
      collector.visit(op);
  });
  return rules;
}

ShapeRules ShapeRules::collect(func::FuncOp entry) {
  return collectRules(entry, nullptr);
}

ShapeRules ShapeRules::collect(func::FuncOp entry,
                               SmallVectorImpl<LateRule> &late) {
  return collectRules(entry, &late);
}

static Error checkBounds(const ShapeRules::Bounds &bounds, const Tensor &input,
                         int64_t length) {
  if (input.getNumElements() == 0)
    return createStringError("input " + Twine(bounds.input) + " (" +
                             bounds.what +
                             "): expected at least 1 element, got none");
  int64_t last = 0;
  for (int64_t i = 0, e = input.getNumElements(); i < e; ++i) {
    int64_t value = input.getInt(i);
    if (i == 0 ? value != 0 : value < last)
      return createStringError(
          "input " + Twine(bounds.input) + " (" + bounds.what +
          "): expected element " + Twine(i) + " to be " +
          (i == 0 ? Twine("0") : "at least " + Twine(last)) + ", got " +
          Twine(value));
    last = value;
  }
  if (last > length)
    return createStringError("input " + Twine(bounds.input) + " (" +
                             bounds.what +
                             "): expected the last element to be at most " +
                             Twine(length) + ", got " + Twine(last));
  return Error::success();
}

Error SmoothCheck::judge(double beta) const {
  std::string expected = findBrokenSmooth(beta, isF64);
  if (expected.empty())
    return Error::success();
  return createStringError("%s: expected smooth to %s, got %g", op.c_str(),
                           expected.c_str(), beta);
}

static Error checkSmooth(const ShapeRules::Smooth &smooth,
                         const Tensor &input) {
  double beta = input.get(0);
  std::string expected = findBrokenSmooth(beta, smooth.isF64);
  if (expected.empty())
    return Error::success();
  return createStringError("input %d (smooth): expected it to %s, got %g",
                           int(smooth.input), expected.c_str(), beta);
}

SmallVector<int64_t> ShapeRules::findReadInputs() const {
  llvm::SmallSetVector<int64_t, 4> inputs;
  for (const Rule &rule : rules)
    for (const SizeExpression &size : {rule.size, rule.first, rule.second})
      size.findReadInputs(inputs);
  for (const Bounds &bound : bounds)
    inputs.insert(bound.input);
  for (const Smooth &number : smooth)
    inputs.insert(number.input);
  return inputs.takeVector();
}

Error ShapeRules::check(ArrayRef<Tensor> inputs) const {
  for (const Rule &rule : rules) {
    std::string expected = findBroken(rule, inputs);
    if (!expected.empty())
      return createStringError(
          rule.describe(expected, Twine(*rule.size.evaluate(inputs))));
  }
  auto isSeen = [&](int64_t input) {
    return inputs[input].getData() || !inputs[input].getNumElements();
  };
  for (const Bounds &bound : bounds) {
    std::optional<int64_t> length = bound.length.evaluate(inputs);
    if (!length || !isSeen(bound.input))
      continue;
    if (Error error = checkBounds(bound, inputs[bound.input], *length))
      return error;
  }
  for (const Smooth &number : smooth) {
    if (!isSeen(number.input))
      continue;
    if (Error error = checkSmooth(number, inputs[number.input]))
      return error;
  }
  return Error::success();
}
