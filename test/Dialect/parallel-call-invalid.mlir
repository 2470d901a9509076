// RUN: fpa-opt %s -verify-diagnostics -split-input-file

// The tags are the rules of docs/Spec.md.

// [C1]
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to be a function, got @body, which is not defined}}
  fpa.parallel_call @body(%n) args(%a : memref<?xf32>)
  return
}

// -----

// [C1]
memref.global @body : memref<4xf32>
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to be a function, got @body}}
  fpa.parallel_call @body(%n) args(%a : memref<?xf32>)
  return
}

// -----

// [C2]
func.func private @body(index)
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to take 'index', 'memref<?xf32>', got 'index'}}
  fpa.parallel_call @body(%n) args(%a : memref<?xf32>)
  return
}

// -----

// [C2]
func.func private @body(index, memref<4xf32>)
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to take 'index', 'memref<?xf32>', got 'index', 'memref<4xf32>'}}
  fpa.parallel_call @body(%n) args(%a : memref<?xf32>)
  return
}

// -----

// [C2]
func.func private @body()
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to take 'index', got }}
  fpa.parallel_call @body(%n) 
  return
}

// -----

// [C3]
func.func private @body(index, memref<?xf32>) -> f32
func.func @f(%n: index, %a: memref<?xf32>) {
  // expected-error@+1 {{expected callee to return nothing, got 'f32'}}
  fpa.parallel_call @body(%n) args(%a : memref<?xf32>)
  return
}
