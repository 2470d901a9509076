//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace mlir;
using namespace mlir::fpa;

static StringRef getCType(ElementKind kind) {
  switch (kind) {
  case ElementKind::F16:
  case ElementKind::BF16:
    return "uint16_t";
  case ElementKind::F32:
    return "float";
  case ElementKind::F64:
    return "double";
  case ElementKind::I32:
    return "int32_t";
  case ElementKind::I1:
    return "uint8_t";
  case ElementKind::I64:
  case ElementKind::Index:
    return "int64_t";
  }
  llvm_unreachable("unknown element kind");
}

static std::string getStructName(const TensorSpec &spec) {
  return "fpa_" + std::to_string(spec.shape.size()) + "d_" +
         getElementName(spec.kind).str();
}

static void writeStruct(llvm::raw_ostream &os, const TensorSpec &spec) {
  size_t rank = spec.shape.size();
  std::string name = getStructName(spec);
  os << "#ifndef " << StringRef(name).upper() << "\n#define "
     << StringRef(name).upper() << "\ntypedef struct " << name << " {\n  "
     << getCType(spec.kind) << " *allocated, *data;\n  int64_t offset;\n";
  if (rank)
    os << "  int64_t sizes[" << rank << "], strides[" << rank << "];\n";
  os << "} " << name << ";\n#endif\n\n";
}

static void writeEntry(llvm::raw_ostream &os, StringRef name,
                       const EntrySignature &signature) {
  SmallVector<std::string> arguments;
  os << "/* ";
  for (auto [i, input] : llvm::enumerate(signature.inputs)) {
    os << (i ? ", " : "") << input.getTypeText();
    arguments.push_back("const " + getStructName(input) + " *in" +
                        std::to_string(i));
  }
  os << " -> ";
  for (auto [i, result] : llvm::enumerate(signature.results))
    os << (i ? ", " : "") << result.getTypeText();
  os << " */\n";
  if (signature.results.size() == 1)
    arguments.insert(arguments.begin(),
                     getStructName(signature.results[0]) + " *out");
  if (signature.results.size() > 1) {
    os << "typedef struct fpa_results_" << name << " {\n";
    for (auto [i, result] : llvm::enumerate(signature.results))
      os << "  " << getStructName(result) << " out" << i << ";\n";
    os << "} fpa_results_" << name << ";\n";
    arguments.insert(arguments.begin(),
                     ("fpa_results_" + name + " *results").str());
  }
  os << "void _mlir_ciface_" << name << "("
     << (arguments.empty() ? "void" : llvm::join(arguments, ", ")) << ");\n\n";
}

std::string mlir::fpa::writeHeader(ArrayRef<StringRef> names,
                                   ArrayRef<EntrySignature> signatures) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "/* Tensors are row-major: strides[last] is 1, offset is 0. Outputs "
        "are "
        "set by the\n   call and freed with fpa_free(out.allocated). */\n"
        "#pragma once\n#include <stdint.h>\n\n"
        "#ifdef __cplusplus\nextern \"C\" {\n#endif\n\n"
        "void _mlir_memref_to_llvm_free(void *address);\n"
        "#define fpa_free _mlir_memref_to_llvm_free\n"
        "void fpa_set_num_threads(int32_t threads);\n\n";
  std::set<std::string> known;
  for (const EntrySignature &signature : signatures)
    for (ArrayRef<TensorSpec> specs :
         {ArrayRef(signature.inputs), ArrayRef(signature.results)})
      for (const TensorSpec &spec : specs)
        if (known.insert(getStructName(spec)).second)
          writeStruct(os, spec);
  for (auto [name, signature] : llvm::zip_equal(names, signatures))
    writeEntry(os, name, signature);
  os << "#ifdef __cplusplus\n}\n#endif\n";
  return text;
}
