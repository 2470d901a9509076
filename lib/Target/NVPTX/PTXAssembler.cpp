//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/PTXAssembler.h"
#include "fpa/Support/OutputFiles.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include <chrono>
#include <csignal>
#include <thread>

using namespace llvm;
using namespace mlir::fpa;

static std::string formatVersion(int64_t version) {
  return std::to_string(version / 10) + "." + std::to_string(version % 10);
}

static std::string readText(StringRef path) {
  auto buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : "";
}

namespace {
/// A file that is removed with the object.
struct TemporaryFile {
  static Expected<TemporaryFile> create(StringRef suffix) {
    TemporaryFile file;
    if (std::error_code error =
            sys::fs::createTemporaryFile("fpa", suffix, file.path))
      return createStringError("cannot make a temporary file: " +
                               error.message());
    file.remover = std::make_unique<FileRemover>(file.path);
    return std::move(file);
  }

  SmallString<128> path;
  std::unique_ptr<FileRemover> remover;
};

struct ToolOutput {
  int status = 0;
  std::string text;
};
} // namespace

/// Runs a program, for so many seconds at most; its text is what it prints on
/// both streams.
static Expected<ToolOutput>
runProgram(StringRef program, ArrayRef<StringRef> arguments, unsigned seconds) {
  auto messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();
  SmallVector<StringRef> command{program};
  command.append(arguments.begin(), arguments.end());
  std::optional<StringRef> redirects[] = {StringRef(), messages->path.str(),
                                          messages->path.str()};
  ToolOutput output;
  std::string problem;
  sys::ProcessInfo process = sys::ExecuteNoWait(program, command, std::nullopt,
                                                redirects, 0, &problem);
  // A wait with a time of its own takes the process's alarm, which may be
  // another's.
  auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  sys::ProcessInfo ended;
  while (process.Pid != sys::ProcessInfo::InvalidPid && ended.Pid == 0) {
    ended = sys::Wait(process, /*SecondsToWait=*/0, &problem);
    if (ended.Pid != 0)
      break;
    if (std::chrono::steady_clock::now() >= end) {
      ::kill(process.Pid, SIGKILL);
      sys::Wait(process, std::nullopt);
      return createStringError("expected '" + program + "' to end within " +
                               Twine(seconds) + " seconds, stopped it");
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  output.status = problem.empty() ? ended.ReturnCode : -1;
  output.text = problem.empty() ? readText(messages->path) : problem;
  return output;
}

/// "Cuda compilation tools, release 13.0, V13.0.88" as 130.
static Expected<int> readVersion(StringRef path) {
  Expected<ToolOutput> output = runProgram(path, {"--version"}, /*seconds=*/10);
  if (!output)
    return output.takeError();
  StringRef text = output->text;
  auto [before, after] = text.split("release ");
  std::string said = text.empty()
                         ? "nothing"
                         : ("'" + text.rtrim().substr(0, 200) + "'").str();
  int major = 0, minor = 0;
  if (output->status != 0 || after.consumeInteger(10, major) ||
      !after.consume_front(".") || after.consumeInteger(10, minor))
    return createStringError("expected '" + path +
                             "' to tell its version, got " + said);
  return 10 * major + minor;
}

static std::string inFolder(StringRef toolkit) {
  SmallString<128> path(toolkit);
  sys::path::append(path, "bin", "ptxas");
  return sys::fs::can_execute(path) ? path.str().str() : "";
}

static std::string findPath(StringRef toolkit) {
  if (!toolkit.empty())
    return inFolder(toolkit);
  for (StringRef variable : {"CUDA_HOME", "CUDA_PATH"})
    if (auto folder = sys::Process::GetEnv(variable))
      if (std::string path = inFolder(*folder); !path.empty())
        return path;
  if (auto path = sys::findProgramByName("ptxas"))
    return *path;
  return inFolder("/usr/local/cuda");
}

Expected<PTXAssembler> mlir::fpa::findPTXAssembler(StringRef toolkit,
                                                   const GPUTarget &chip) {
  PTXAssembler assembler;
  assembler.path = findPath(toolkit);
  if (assembler.path.empty())
    return createStringError(
        "machine code for " + chip.chip +
        " needs ptxas of a CUDA toolkit of version " +
        formatVersion(chip.toolkit) + " or later, found none " +
        (toolkit.empty() ? Twine("in CUDA_HOME, CUDA_PATH, PATH and "
                                 "/usr/local/cuda: install one, name it with "
                                 "--toolkit, or take PTX")
                         : "in '" + toolkit + "/bin'"));
  Expected<int> version = readVersion(assembler.path);
  if (!version)
    return version.takeError();
  assembler.version = *version;
  if (assembler.version < chip.toolkit)
    return createStringError("machine code for " + chip.chip +
                             " needs ptxas of a CUDA toolkit of version " +
                             formatVersion(chip.toolkit) + " or later, got '" +
                             assembler.path + "' of version " +
                             formatVersion(assembler.version));
  return assembler;
}

/// The number before or after `what` in `line`, or -1.
static int64_t numberBefore(StringRef line, StringRef what) {
  size_t at = line.find(what);
  if (at == StringRef::npos)
    return -1;
  StringRef digits = line.take_front(at).rtrim();
  size_t start = digits.find_last_not_of("0123456789");
  int64_t number;
  if (digits.drop_front(start + 1).getAsInteger(10, number))
    return -1;
  return number;
}

SmallVector<runtime::Kernel> mlir::fpa::parseResourceReport(StringRef text) {
  SmallVector<runtime::Kernel> kernels;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    auto [before, after] = line.split("Compiling entry function '");
    if (!after.empty()) {
      runtime::Kernel kernel;
      kernel.name = after.split('\'').first.str();
      kernel.sharedBytes = 0;
      kernels.push_back(std::move(kernel));
    }
    if (kernels.empty())
      continue;
    runtime::Kernel &kernel = kernels.back();
    auto set = [&](int64_t &field, StringRef what) {
      if (int64_t number = numberBefore(line, what); number >= 0)
        field = number;
    };
    set(kernel.localBytes, " bytes stack frame");
    set(kernel.spillStores, " bytes spill stores");
    set(kernel.spillLoads, " bytes spill loads");
    set(kernel.sharedBytes, " bytes smem");
    auto [ignored, registers] = line.split("Used ");
    if (!registers.empty())
      kernel.registers = numberBefore(registers, " registers");
  }
  return kernels;
}

Expected<AssembledKernels> mlir::fpa::assemble(StringRef ptx,
                                               const PTXAssembler &assembler,
                                               const GPUTarget &chip) {
  auto source = TemporaryFile::create("ptx");
  if (!source)
    return source.takeError();
  auto result = TemporaryFile::create("cubin");
  if (!result)
    return result.takeError();
  if (Error error = writeFile(source->path, {ptx}))
    return std::move(error);
  std::string arch = "-arch=" + chip.chip;
  Expected<ToolOutput> output = runProgram(
      assembler.path, {arch, "-O3", "-v", "-o", result->path, source->path},
      /*seconds=*/1200);
  if (!output)
    return output.takeError();
  if (output->status != 0)
    return createStringError("'" + assembler.path + "' refuses the text: " +
                             StringRef(output->text).rtrim().substr(0, 1000));
  AssembledKernels assembled;
  assembled.cubin = readText(result->path);
  constexpr StringLiteral magic = "\x7f"
                                  "ELF";
  if (!StringRef(assembled.cubin).starts_with(magic))
    return createStringError("expected machine code from '" + assembler.path +
                             "', got " + Twine(assembled.cubin.size()) +
                             " bytes of something else");
  assembled.kernels = parseResourceReport(output->text);
  return assembled;
}
