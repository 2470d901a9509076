// RUN: fpa-opt %s --fpa-vectorize-tiles="branches nan-maximum" --canonicalize --cse | FileCheck %s
// RUN: fpa-opt %s --fpa-vectorize-tiles --canonicalize --cse | FileCheck %s --check-prefix=SELECT

// Carries end in few tiles. With branches, what ends is looked for and put into its
// place only where that may be; without, a row's comparison says no elsewhere.

// CHECK-LABEL: func @queries(
// CHECK-SAME:    %[[E:[a-z0-9]*]]: i1, {{.*}}%[[C0:[a-z0-9]*]]: tensor<16xf32>, %[[DS0:[a-z0-9]*]]: tensor<32xf32>, %[[DF0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK:         %[[C:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[MOVED:.*]] = vector.multi_reduction <add>, %{{.*}} [1]
// CHECK:         %[[CHOSEN:.*]]:2 = scf.if %[[E]] -> (vector<16xf32>, tensor<32xf32>) {
// CHECK:           %[[HERE:.*]] = arith.cmpf ogt
// CHECK:           %[[ENDED:.*]] = arith.select %[[HERE]], %[[C]], %{{.*}}
// CHECK:           vector.multi_reduction <add>, %[[ENDED]]
// CHECK:           %[[ON:.*]] = arith.select %[[HERE]], %{{.*}}, %[[C]]
// CHECK:           %[[PUT:.*]] = vector.transfer_write %{{.*}}, %[[DS0]]
// CHECK:           scf.yield %[[ON]], %[[PUT]]
// CHECK:         } else {
// CHECK:           scf.yield %[[C]], %[[DS0]]
// CHECK:         %[[NEXT:.*]] = arith.addf %[[CHOSEN]]#0, %[[MOVED]]
// CHECK:         %[[CT:.*]] = vector.transfer_write %[[NEXT]], %[[C0]]
// CHECK:         return %{{.*}}, %[[CT]], %[[CHOSEN]]#1, %[[DF0]]

// SELECT-LABEL: func @queries(
// SELECT-SAME:    %[[E:[a-z0-9]*]]: i1
// SELECT-NOT:     scf.if
// SELECT:         %[[EB:.*]] = vector.broadcast %[[E]] : i1 to vector<16xi1>
// SELECT:         arith.andi %{{.*}}, %[[EB]] : vector<16xi1>
func.func @queries(%e: i1, %q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                   %f: tensor<32xf32>, %p: f32, %dq0: tensor<16x8xf32>,
                   %c0: tensor<16xf32>, %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <queries>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    field(%f, %lse : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) ends(%e)
    suffix(%f : tensor<32xf32>)
    outs(%dq0, %c0, %ds0, %df0 : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
}

// Where all minima are below the tile there is no maximum, rows get the sum of
// all, and nothing ends. What both forms look at is read ahead of the branches.

// CHECK-LABEL: func @below(
// CHECK-SAME:    %[[U:[a-z0-9]*]]: i1, %[[E:[a-z0-9]*]]: i1, {{.*}}%[[DS0:[a-z0-9]*]]: tensor<32xf32>, %[[DF0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK:         vector.broadcast %{{.*}} : f32 to vector<16xf32>
// CHECK:         %[[S:.*]] = vector.transfer_read
// CHECK-NEXT:    %[[LOGITS:.*]] = scf.if %[[U]] -> (vector<16x32xf32>) {
// CHECK-NOT:       maximumf
// CHECK:           %[[Z:.*]] = arith.subf
// CHECK-NEXT:      math.fma %[[Z]],
// CHECK:         } else {
// CHECK:           arith.maximumf %[[S]],
// CHECK:           arith.maximumf {{.*}} : vector<16x32xf32>
// CHECK:         }
// CHECK:         %[[SHARE:.*]] = arith.mulf {{.*}} : vector<16x32xf32>
// CHECK:         %[[C:.*]] = vector.transfer_read {{.*}} : tensor<16xf32>, vector<16xf32>
// CHECK-NEXT:    %[[SUMS:.*]]:2 = scf.if %[[U]] -> (vector<16xf32>, tensor<32xf32>) {
// CHECK-NEXT:      %[[ALL:.*]] = vector.multi_reduction <add>, %[[SHARE]], %{{.*}} [1]
// CHECK-NEXT:      %[[ON:.*]] = arith.addf %[[C]], %[[ALL]]
// CHECK-NEXT:      scf.yield %[[ON]], %[[DS0]]
// CHECK-NEXT:    } else {
// CHECK:           arith.cmpf ole, {{.*}} : vector<16x32xf32>
// CHECK:           scf.if %[[E]]
// CHECK:         return %{{.*}}, %{{.*}}, %[[SUMS]]#1, %[[DF0]]

// SELECT-LABEL: func @below(
// SELECT-NOT:     scf.if
func.func @below(%u: i1, %e: i1, %q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                 %f: tensor<32xf32>, %l: tensor<32xf32>, %s: tensor<32xf32>, %p: f32,
                 %dq0: tensor<16x8xf32>, %c0: tensor<16xf32>, %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <queries>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    field(%f, %lse : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) ends(%e) below(%u)
    level(%l : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%dq0, %c0, %ds0, %df0 : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
}

// Levels get the sum of all, suffixes nothing. What is found of keys alone is found
// ahead of the branches, which loops over rows leave it out of.

// CHECK-LABEL: func @below_keys(
// CHECK-SAME:    %[[U:[a-z0-9]*]]: i1
// CHECK:         %[[IS_BELOW:.*]] = arith.cmpf ogt, {{.*}} : vector<32xf32>
// CHECK:         scf.if %[[U]] -> (vector<32x16xf32>) {
// CHECK-NOT:       maximumf
// CHECK:         } else {
// CHECK-COUNT-1:   arith.maximumf
// CHECK:         }
// CHECK:         %[[L:.*]] = vector.transfer_read {{.*}} : tensor<32xf32>, vector<32xf32>
// CHECK-NEXT:    %[[S:.*]] = vector.transfer_read {{.*}} : tensor<32xf32>, vector<32xf32>
// CHECK-NEXT:    scf.if %[[U]] -> (vector<32xf32>, vector<32xf32>) {
// CHECK-NEXT:      %[[ALL:.*]] = vector.multi_reduction <add>
// CHECK-NEXT:      %[[LESS:.*]] = arith.subf %[[L]], %[[ALL]]
// CHECK-NEXT:      scf.yield %[[LESS]], %[[S]]
// CHECK-NEXT:    } else {
// CHECK:           arith.select %[[IS_BELOW]],
func.func @below_keys(%u: i1, %q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                 %f: tensor<32xf32>, %l: tensor<32xf32>, %s: tensor<32xf32>, %p: f32,
                 %dk0: tensor<32x8xf32>, %dl0: tensor<32xf32>, %ds0: tensor<32xf32>)
    -> (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <keys>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    field(%f, %lse : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) below(%u)
    level(%l : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%dk0, %dk0, %dl0, %ds0 : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
}

// Where no minimum is below any level, a logit drops by one number of its key; rows
// get nothing, and what of their carry ends is asked by the tile's least field.

// CHECK-LABEL: func @above(
// CHECK-SAME:    %[[U:[a-z0-9]*]]: i1, %[[V:[a-z0-9]*]]: i1, %[[E:[a-z0-9]*]]: i1
// CHECK-SAME:    %[[LEAST:[a-z0-9]*]]: f32
// CHECK:         scf.if %[[U]] -> (vector<16x32xf32>) {
// CHECK:         } else {
// CHECK:           scf.if %[[V]] -> (vector<16x32xf32>) {
// CHECK:             %[[Z:.*]] = arith.subf {{.*}} : vector<32xf32>
// CHECK-NEXT:        %[[A:.*]] = arith.maximumf %[[Z]]
// CHECK-NEXT:        %[[ALL:.*]] = vector.broadcast %[[A]] : vector<32xf32> to vector<16x32xf32>
// CHECK-NEXT:        math.fma %[[ALL]],
// CHECK:           } else {
// CHECK:             arith.maximumf {{.*}} : vector<16x32xf32>
// CHECK:         %[[C:.*]] = vector.transfer_read {{.*}} : tensor<16xf32>, vector<16xf32>
// CHECK-NEXT:    scf.if %[[U]] -> (vector<16xf32>, tensor<32xf32>) {
// CHECK:         } else {
// CHECK-NEXT:      scf.if %[[V]] -> (vector<16xf32>, tensor<32xf32>) {
// CHECK-NEXT:        %[[ON:.*]]:2 = scf.if %[[E]] -> (vector<16xf32>, tensor<32xf32>) {
// CHECK-NEXT:          %[[SPREAD:.*]] = vector.broadcast %[[LEAST]]
// CHECK-NEXT:          arith.cmpf ogt, %{{.*}}, %[[SPREAD]]
// CHECK:               vector.multi_reduction <add>, {{.*}} [0] : vector<16xf32> to f32
// CHECK:             } else {
// CHECK-NEXT:          scf.yield %[[C]],
// CHECK:             scf.yield %[[ON]]#0, %[[ON]]#1
// CHECK:           } else {
// CHECK:             arith.cmpf ole, {{.*}} : vector<16x32xf32>

// SELECT-LABEL: func @above(
// SELECT-NOT:     scf.if
func.func @above(%u: i1, %v: i1, %e: i1, %least: f32, %q: tensor<16x8xf32>, %k: tensor<32x8xf32>,
                 %lse: tensor<16xf32>, %f: tensor<32xf32>, %l: tensor<32xf32>, %s: tensor<32xf32>, %p: f32,
                 %dq0: tensor<16x8xf32>, %c0: tensor<16xf32>, %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <queries>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    field(%f, %lse : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) least(%least : f32) ends(%e)
    below(%u) above(%v) level(%l : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%dq0, %c0, %ds0, %df0 : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
}

// Levels and suffixes get the sum of the keys that the tile itself penalises.

// CHECK-LABEL: func @above_keys(
// CHECK-SAME:    %[[U:[a-z0-9]*]]: i1, %[[V:[a-z0-9]*]]: i1
// CHECK:         %[[IS_BELOW:.*]] = arith.cmpf ogt, {{.*}} : vector<32xf32>
// CHECK:         %[[L:.*]] = vector.transfer_read {{.*}} : tensor<32xf32>, vector<32xf32>
// CHECK-NEXT:    %[[S:.*]] = vector.transfer_read {{.*}} : tensor<32xf32>, vector<32xf32>
// CHECK-NEXT:    scf.if %[[U]] -> (vector<32xf32>, vector<32xf32>) {
// CHECK:         } else {
// CHECK-NEXT:      scf.if %[[V]] -> (vector<32xf32>, vector<32xf32>) {
// CHECK-NEXT:        %[[ALL:.*]] = vector.multi_reduction <add>
// CHECK-NEXT:        %[[OWN:.*]] = arith.select %[[IS_BELOW]], %[[ALL]],
// CHECK-NEXT:        %[[LESS:.*]] = arith.subf %[[L]], %[[OWN]]
// CHECK-NEXT:        %[[MORE:.*]] = arith.addf %[[S]], %[[OWN]]
// CHECK-NEXT:        scf.yield %[[LESS]], %[[MORE]]
func.func @above_keys(%u: i1, %v: i1, %q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                 %f: tensor<32xf32>, %l: tensor<32xf32>, %s: tensor<32xf32>, %p: f32,
                 %dk0: tensor<32x8xf32>, %dl0: tensor<32xf32>, %ds0: tensor<32xf32>)
    -> (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <keys>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %lse : tensor<16xf32>, tensor<16xf32>)
    field(%f, %lse : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) below(%u) above(%v)
    level(%l : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%dk0, %dk0, %dl0, %ds0 : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
}
