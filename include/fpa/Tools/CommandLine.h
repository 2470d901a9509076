//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Command lines of fpa's tools. LLVM's own options are global: those of every
// library that is linked would be accepted, and some names are taken.

#ifndef FPA_TOOLS_COMMANDLINE_H
#define FPA_TOOLS_COMMANDLINE_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <string>

namespace mlir::fpa {

class CommandLine {
public:
  using Parse = std::function<llvm::Error(llvm::StringRef value)>;

  CommandLine(llvm::StringRef tool, llvm::StringRef overview)
      : tool(tool), overview(overview) {}

  /// `--name=VALUE`, or `--name VALUE`.
  void option(llvm::StringRef name, llvm::StringRef value, llvm::StringRef help,
              Parse parse);
  void option(llvm::StringRef name, llvm::StringRef value, llvm::StringRef help,
              std::string &result);
  /// A number from `least` to `most`.
  void option(llvm::StringRef name, llvm::StringRef value, llvm::StringRef help,
              int64_t &result, int64_t least, int64_t most = INT64_MAX);
  /// `--name`, and `--name=VALUE` where `parse` is given.
  void flag(llvm::StringRef name, llvm::StringRef help, bool &result,
            llvm::StringRef value = "", Parse parse = nullptr);
  /// The argument without a name, which must be there. Without a call of this,
  /// there is none.
  void positional(llvm::StringRef name, std::string &result);

  /// Sets the results. With --help, prints the help and sets `isDone`.
  llvm::Error parse(int argc, const char *const *argv, bool &isDone);
  /// Whether the parsed line has the option.
  bool has(llvm::StringRef name) const { return given.contains(name); }

private:
  struct Option {
    std::string name, value, help;
    bool *flag = nullptr;
    Parse parse;
  };
  llvm::Error parseOption(llvm::StringRef argument,
                          llvm::ArrayRef<const char *> &rest);
  void printHelp() const;

  std::string tool, overview, positionalName;
  std::string *positionalResult = nullptr;
  bool hasPositional = false;
  llvm::SmallVector<Option> options;
  llvm::StringSet<> given;
};

llvm::Expected<int64_t> parseInteger(llvm::StringRef text, int64_t least,
                                     int64_t most = INT64_MAX);
llvm::Expected<double> parseNumber(llvm::StringRef text);

/// Runs a tool's work and returns its exit status: an error becomes the line
/// "tool: error: ...", also one that LLVM would end the program for.
int runTool(llvm::StringRef tool, llvm::function_ref<llvm::Error()> work);

} // namespace mlir::fpa

#endif // FPA_TOOLS_COMMANDLINE_H
