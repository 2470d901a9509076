//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MemRefArguments.h"
#include "fpa/Runtime/Runtime.h"

using namespace mlir;
using namespace mlir::fpa;

static SmallVector<int64_t> rowMajorStrides(ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;)
    strides[d - 1] = strides[d] * shape[d];
  return strides;
}

static int64_t toWord(void *address) {
  return int64_t(reinterpret_cast<intptr_t>(address));
}

MemRefArguments::MemRefArguments(const EntrySignature &signature,
                                 ArrayRef<Tensor> inputs)
    : signature(signature) {
  for (const Tensor &input : inputs) {
    SmallVector<int64_t> words{toWord(input.getData()), toWord(input.getData()),
                               0};
    llvm::append_range(words, input.getShape());
    llvm::append_range(words, rowMajorStrides(input.getShape()));
    inputWords.push_back(std::move(words));
  }
  for (const TensorSpec &result : signature.results)
    resultWords.append(3 + 2 * result.shape.size(), 0);
  // The words stay in place from here on.
  if (!resultWords.empty())
    addresses.push_back(resultWords.data());
  for (SmallVector<int64_t> &words : inputWords)
    addresses.push_back(words.data());
}

llvm::Expected<SmallVector<Tensor>> MemRefArguments::takeResults() {
  SmallVector<Tensor> results;
  // One value may be returned twice, or beside a view of itself: results with
  // one base share its owner.
  llvm::DenseMap<char *, std::shared_ptr<void>> owners;
  const int64_t *words = resultWords.data();
  for (const TensorSpec &spec : signature.results) {
    size_t rank = spec.shape.size();
    auto *base = reinterpret_cast<char *>(intptr_t(words[0]));
    auto *data = reinterpret_cast<char *>(intptr_t(words[1])) +
                 words[2] * getElementBytes(spec.kind);
    ArrayRef<int64_t> shape(words + 3, rank);
    words += 3 + 2 * rank;
    std::shared_ptr<void> &owner = owners[base];
    if (!owner)
      owner.reset(base, _mlir_memref_to_llvm_free);
    // The pipeline returns memrefs of identity layout.
    if (!countElements(shape, spec.kind))
      return llvm::createStringError("an output has an impossible shape");
    results.emplace_back(spec.kind, shape, owner, data);
  }
  return results;
}
