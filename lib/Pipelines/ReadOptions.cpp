//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Pipelines/ReadOptions.h"
#include "fpa/Pipelines/CPUPipeline.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

template <typename T>
using PipelineOption = mlir::detail::PassOptions::Option<T>;

namespace {
/// `name=value`, or `name` alone.
struct Setting {
  StringRef name;
  std::optional<StringRef> value;
};
} // namespace

/// Takes the first setting off `text`, which does not begin with white space.
static Expected<Setting> takeSetting(StringRef &text) {
  Setting setting;
  setting.name =
      text.take_until([](char c) { return c == '=' || llvm::isSpace(c); });
  text = text.drop_front(setting.name.size());
  if (!text.consume_front("="))
    return setting;
  char quote = text.empty() ? '\0' : text.front();
  if (quote != '"' && quote != '\'') {
    setting.value = text.take_until([](char c) { return llvm::isSpace(c); });
    text = text.drop_front(setting.value->size());
    return setting;
  }
  size_t end = text.find(quote, 1);
  if (end == StringRef::npos)
    return createStringError("expected a quote at the end of option " +
                             setting.name + ", got none");
  setting.value = text.slice(1, end);
  text = text.drop_front(end + 1);
  return setting;
}

static Error expected(StringRef name, const Twine &what,
                      std::optional<StringRef> value) {
  return createStringError("expected option " + name + " to be " + what +
                           ", got " +
                           (value ? "'" + *value + "'" : Twine("no value")));
}

static Error set(PipelineOption<int64_t> &option, Setting setting) {
  int64_t number;
  if (!setting.value || setting.value->getAsInteger(10, number))
    return expected(setting.name, "an integer", setting.value);
  option = number;
  return Error::success();
}

static Error set(PipelineOption<bool> &option, Setting setting) {
  if (setting.value && *setting.value != "true" && *setting.value != "false")
    return expected(setting.name, "true or false", setting.value);
  option = !setting.value || *setting.value == "true";
  return Error::success();
}

static Error set(PipelineOption<std::string> &option, Setting setting) {
  if (!setting.value)
    return expected(setting.name, "a string", setting.value);
  option = setting.value->str();
  return Error::success();
}

static Error set(PipelineOption<CPUStrategy> &option, Setting setting) {
  if (setting.value == StringRef("tile"))
    option = CPUStrategy::Tile;
  else if (setting.value == StringRef("decompose"))
    option = CPUStrategy::Decompose;
  else
    return expected(setting.name, "tile or decompose", setting.value);
  return Error::success();
}

/// Sets an option of one of the types T.
template <typename... T>
static Error setAny(llvm::cl::Option *option, Setting setting) {
  Error error = Error::success();
  auto trySet = [&](auto *typed) {
    if (typed && !error)
      error = set(*typed, setting);
    return typed != nullptr;
  };
  bool known = (trySet(dynamic_cast<PipelineOption<T> *>(option)) || ...);
  assert(known && "options of this type cannot be read");
  (void)known;
  return error;
}

Error mlir::fpa::readOptions(const OptionsByName &options, StringRef text) {
  for (text = text.ltrim(); !text.empty(); text = text.ltrim()) {
    Expected<Setting> setting = takeSetting(text);
    if (!setting)
      return setting.takeError();
    llvm::cl::Option *option = options.lookup(setting->name);
    if (!option) {
      SmallVector<StringRef> names = llvm::to_vector(options.keys());
      llvm::sort(names);
      return createStringError("expected an option among " +
                               llvm::join(names, ", ") + ", got '" +
                               setting->name + "'");
    }
    if (Error error =
            setAny<int64_t, bool, std::string, CPUStrategy>(option, *setting))
      return error;
  }
  return Error::success();
}

Error mlir::fpa::readOptions(CPUPipelineOptions &options, StringRef text) {
  if (Error error = readOptions(options.byName(), text))
    return error;
  return checkOptions(options);
}

Error mlir::fpa::readOptions(GPUPipelineOptions &options, StringRef text) {
  if (Error error = readOptions(options.byName(), text))
    return error;
  return checkOptions(options);
}

Error mlir::fpa::readOptions(GPUPipelineOptions &options, StringRef text,
                             StringRef chip) {
  if (Error error = readOptions(options, text))
    return error;
  if (options.chip.hasValue() && options.chip.getValue() != chip)
    return createStringError("expected option chip to be " + chip +
                             ", which the code is for, got " +
                             options.chip.getValue());
  for (auto *option : {&options.format, &options.toolkit})
    if (option->hasValue())
      return createStringError("option " + option->getArgStr() +
                               " is for fpa-opt alone");
  options.chip = chip.str();
  return Error::success();
}
