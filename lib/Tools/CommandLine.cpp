//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Tools/CommandLine.h"
#include "fpa/Support/LargeStack.h"
#include "fpa/Support/OneLine.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <unistd.h>

using namespace llvm;
using namespace mlir::fpa;

Expected<int64_t> mlir::fpa::parseInteger(StringRef text, int64_t least,
                                          int64_t most) {
  int64_t value;
  if (!text.getAsInteger(10, value) && value >= least && value <= most)
    return value;
  // Where only the width is a bound, or the number is beyond that.
  APInt wide;
  bool isTooWide = !text.getAsInteger(10, wide) && !wide.isSignedIntN(64);
  std::string expected =
      isTooWide || least == INT64_MIN ? "a 64-bit integer" : "an integer";
  if (most != INT64_MAX)
    expected +=
        " from " + std::to_string(least) + " to " + std::to_string(most);
  else if (least != INT64_MIN)
    expected += " of at least " + std::to_string(least);
  return createStringError("expected " + expected + ", got '" + text + "'");
}

Expected<double> mlir::fpa::parseNumber(StringRef text) {
  double value;
  if (text.getAsDouble(value))
    return createStringError("expected a number, got '" + text + "'");
  return value;
}

void CommandLine::option(StringRef name, StringRef value, StringRef help,
                         Parse parse) {
  options.push_back(
      {name.str(), value.str(), help.str(), nullptr, std::move(parse)});
}

void CommandLine::option(StringRef name, StringRef value, StringRef help,
                         std::string &result) {
  option(name, value, help, [&result](StringRef text) {
    result = text.str();
    return Error::success();
  });
}

void CommandLine::option(StringRef name, StringRef value, StringRef help,
                         int64_t &result, int64_t least, int64_t most) {
  option(name, value, help, [&result, least, most](StringRef text) -> Error {
    Expected<int64_t> number = parseInteger(text, least, most);
    if (!number)
      return number.takeError();
    result = *number;
    return Error::success();
  });
}

void CommandLine::flag(StringRef name, StringRef help, bool &result,
                       StringRef value, Parse parse) {
  options.push_back(
      {name.str(), value.str(), help.str(), &result, std::move(parse)});
}

void CommandLine::positional(StringRef name, std::string &result) {
  positionalName = name.str();
  positionalResult = &result;
}

/// With the dashes it is written with.
static std::string getDashed(StringRef name) {
  return ((name.size() == 1 ? "-" : "--") + name).str();
}

Error CommandLine::parseOption(StringRef argument,
                               ArrayRef<const char *> &rest) {
  StringRef text = argument;
  text.consume_front("--") || text.consume_front("-");
  auto [name, value] = text.split('=');
  bool hasValue = text.contains('=');
  auto *option = llvm::find_if(
      options, [name = name](const Option &o) { return o.name == name; });
  if (option == options.end())
    return createStringError("unknown option '" + argument + "', try '" + tool +
                             " --help'");
  given.insert(name);
  if (option->flag) {
    if (hasValue && !option->parse)
      return createStringError("option " + getDashed(name) +
                               ": expected no value, got '" + value + "'");
    *option->flag = true;
  } else if (!hasValue) {
    if (rest.empty())
      return createStringError("option " + getDashed(name) +
                               ": expected a value " + option->value);
    value = rest.front();
    rest = rest.drop_front();
    hasValue = true;
  }
  if (!hasValue)
    return Error::success();
  if (Error error = option->parse(value))
    return createStringError("option " + getDashed(name) + ": " +
                             toString(std::move(error)));
  return Error::success();
}

Error CommandLine::parse(int argc, const char *const *argv, bool &isDone) {
  isDone = false;
  ArrayRef<const char *> rest(argv + 1, argc > 0 ? argc - 1 : 0);
  while (!rest.empty()) {
    StringRef argument = rest.front();
    rest = rest.drop_front();
    if (argument == "--help" || argument == "-help" || argument == "-h") {
      printHelp();
      isDone = true;
      return Error::success();
    }
    if (argument.size() > 1 && argument.starts_with("-")) {
      if (Error error = parseOption(argument, rest))
        return error;
      continue;
    }
    if (!positionalResult)
      return createStringError("expected an option, got '" + argument + "'");
    if (hasPositional)
      return createStringError("expected one " + positionalName +
                               ", got also '" + argument + "'");
    *positionalResult = argument.str();
    hasPositional = true;
  }
  if (positionalResult && !hasPositional)
    return createStringError("expected " + positionalName + ", try '" + tool +
                             " --help'");
  return Error::success();
}

/// Prints `text` in a column that begins at `indent`.
static void printWrapped(StringRef text, size_t indent) {
  constexpr size_t width = 80;
  size_t column = indent;
  SmallVector<StringRef> words;
  text.split(words, ' ');
  for (StringRef word : words) {
    if (column + 1 + word.size() > width) {
      outs() << "\n" << std::string(indent, ' ');
      column = indent;
    }
    outs() << " " << word;
    column += 1 + word.size();
  }
  outs() << "\n";
}

void CommandLine::printHelp() const {
  outs() << "usage: " << tool << " " << positionalName
         << (positionalName.empty() ? "[options]\n" : " [options]\n")
         << overview << "\n\noptions:\n";
  for (const Option &option : options) {
    std::string left = getDashed(option.name);
    if (option.flag && option.parse)
      left += "[=" + option.value + "]";
    else if (!option.flag)
      left += (option.name.size() == 1 ? " " : "=") + option.value;
    outs() << formatv("  {0,-26}", left);
    printWrapped(option.help, 28);
  }
}

static void printError(StringRef tool, StringRef message) {
  errs() << tool << ": error: " << toOneLine(message) << "\n";
}

int mlir::fpa::runTool(StringRef tool, function_ref<Error()> work) {
  static std::string name;
  name = tool.str();
  auto onFatalError = [](void *, const char *reason, bool) {
    outs().flush();
    printError(name, reason);
    _exit(1);
  };
  install_fatal_error_handler(onFatalError);
  install_bad_alloc_error_handler(onFatalError);
  int status = 0;
  if (Error error = onLargeStack([&] { return work(); })) {
    outs().flush();
    printError(tool, toString(std::move(error)));
    status = 1;
  }
  outs().flush();
  if (outs().has_error()) {
    outs().clear_error();
    printError(tool, "cannot write to standard output");
    status = 1;
  }
  remove_bad_alloc_error_handler();
  remove_fatal_error_handler();
  return status;
}
