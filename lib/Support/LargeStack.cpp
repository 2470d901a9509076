//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/LargeStack.h"
#include "llvm/ADT/Twine.h"
#include <pthread.h>

using namespace llvm;

// Pages are taken only when they are used.
static constexpr size_t stackBytes = size_t(256) << 20;
static constexpr int64_t mostNested = 1024;

/// Whether this thread has such a stack already.
static thread_local bool isLarge = false;

static void *start(void *context) {
  isLarge = true;
  (*static_cast<function_ref<void()> *>(context))();
  return nullptr;
}

void mlir::fpa::runOnLargeStack(function_ref<void()> work) {
  pthread_attr_t attributes;
  pthread_t thread;
  bool isStarted = false;
  if (!isLarge && pthread_attr_init(&attributes) == 0) {
    isStarted = pthread_attr_setstacksize(&attributes, stackBytes) == 0 &&
                pthread_create(&thread, &attributes, start, &work) == 0;
    pthread_attr_destroy(&attributes);
  }
  if (isStarted)
    pthread_join(thread, nullptr);
  else
    work();
}

namespace {
/// Goes through text bracket by bracket.
class BracketScanner {
public:
  explicit BracketScanner(StringRef text) : text(text) {}

  /// The place of the first bracket that is nested too deep.
  std::optional<size_t> findTooDeep();

private:
  /// The place behind the string or comment that begins at `place`.
  size_t skipString(size_t place) const;
  size_t skipLine(size_t place) const {
    return std::min(text.find('\n', place), text.size());
  }

  StringRef text;
};
} // namespace

size_t BracketScanner::skipString(size_t place) const {
  for (++place; place < text.size(); ++place) {
    if (text[place] == '\\')
      ++place;
    else if (text[place] == '"' || text[place] == '\n')
      break;
  }
  return std::min(place + 1, text.size());
}

std::optional<size_t> BracketScanner::findTooDeep() {
  int64_t depth = 0;
  size_t place = 0;
  while (place < text.size()) {
    size_t here = place++;
    bool isComparison = place < text.size() && text[place] == '=';
    switch (text[here]) {
    case '"':
      place = skipString(here);
      break;
    case '/':
      if (!text.substr(here).starts_with("//"))
        break;
      // Texts that are read one by one.
      if (text.substr(here).starts_with("// -----"))
        depth = 0;
      place = skipLine(here);
      break;
    case '-':
      // An arrow closes nothing.
      place += place < text.size() && text[place] == '>';
      break;
    case '<':
    case '(':
    case '[':
    case '{':
      if (!(text[here] == '<' && isComparison) && ++depth > mostNested)
        return here;
      break;
    case '>':
    case ')':
    case ']':
    case '}':
      if (!(text[here] == '>' && isComparison) && depth > 0)
        --depth;
      break;
    }
  }
  return std::nullopt;
}

Error mlir::fpa::checkNesting(StringRef text, StringRef name) {
  // Bytecode has no brackets.
  if (text.starts_with("ML\xEFR"))
    return Error::success();
  std::optional<size_t> place = BracketScanner(text).findTooDeep();
  if (!place)
    return Error::success();
  StringRef before = text.take_front(*place);
  size_t column = *place - (before.rfind('\n') + 1) + 1;
  return createStringError(name + ":" + Twine(before.count('\n') + 1) + ":" +
                           Twine(column) + ": expected at most " +
                           Twine(mostNested) +
                           " brackets inside each other, got more");
}
