// RUN: fpa-opt %s -split-input-file --fpa-vectorize-tiles --canonicalize --cse | FileCheck %s

// The minimum of a whole tile is that of its first key and of what lies to the
// right of that.

// CHECK-LABEL: func @pass_inner(
// CHECK-SAME:    %[[F:.*]]: tensor<32xf32>, %[[S:.*]]: tensor<32xf32>, %[[R0:.*]]: tensor<16xf32>)
// CHECK-DAG:     %[[BIG:.*]] = arith.constant dense<3.40282347E+38> : vector<32xf32>
// CHECK-DAG:     %[[NBIG:.*]] = arith.constant dense<-3.40282347E+38> : vector<32xf32>
// CHECK:         %[[FV:.*]] = vector.transfer_read %[[F]]
// CHECK:         %[[FLOW:.*]] = arith.minimumf %[[FV]], %[[BIG]]
// CHECK:         %[[FFIN:.*]] = arith.maximumf %[[FLOW]], %[[NBIG]]
// CHECK:         %[[RV:.*]] = vector.transfer_read %[[R0]]
// CHECK:         %[[SV:.*]] = vector.transfer_read %[[S]]
// CHECK:         %[[SFIN:.*]] = arith.maximumf %[[SV]], %[[NBIG]]
// CHECK:         %[[F0:.*]] = vector.extract %[[FFIN]][0]
// CHECK:         %[[F0I:.*]] = vector.broadcast %[[F0]]
// CHECK:         %[[S0:.*]] = vector.extract %[[SFIN]][0]
// CHECK:         %[[S0I:.*]] = vector.broadcast %[[S0]]
// CHECK:         %[[TMIN:.*]] = arith.minimumf %[[F0I]], %[[S0I]]
// CHECK:         %[[R1:.*]] = arith.minimumf %[[RV]], %[[TMIN]]
// CHECK:         vector.transfer_write %[[R1]], %[[R0]]
func.func @pass_inner(%f: tensor<32xf32>, %s: tensor<32xf32>, %r0: tensor<16xf32>) -> tensor<16xf32> {
  %r = fpa.pass_field field(%f : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%r0 : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// In an edge a row's own last key ends what it passes.

// CHECK-LABEL: func @pass_edge(
// CHECK-SAME:    %[[F:.*]]: tensor<32xf32>, %[[LAST:.*]]: tensor<?xi64>, %[[AT:.*]]: index, %[[R0:.*]]: tensor<16xf32>)
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<16x32xf32>
// CHECK-DAG:     %[[PAD:.*]] = arith.constant -1 : i64
// CHECK:         %[[FFIN:.*]] = arith.maximumf
// CHECK:         vector.transfer_read %[[LAST]][%{{.*}}], %[[PAD]] : tensor<?xi64>, vector<16xi64>
// CHECK-NOT:     vector<16xi64>{{$}}
// CHECK:         arith.index_cast %[[AT]] : index to i64
// CHECK:         %[[UPTO:.*]] = arith.cmpi sle
// CHECK:         %[[FIJ:.*]] = vector.broadcast %[[FFIN]]
// CHECK:         %[[REACH:.*]] = arith.select %[[UPTO]], %[[FIJ]], %[[INF]]
// CHECK:         %[[RV:.*]] = vector.transfer_read %[[R0]]
// CHECK:         %{{.*}}, %[[R1:.*]] = fpa.vector_scan <min> axis(1) reverse exclusive %[[REACH]], %[[RV]]
// CHECK:         vector.transfer_write %[[R1]], %[[R0]]
func.func @pass_edge(%f: tensor<32xf32>, %last: tensor<?xi64>, %at: index, %r0: tensor<16xf32>)
    -> tensor<16xf32> {
  %r = fpa.pass_field field(%f : tensor<32xf32>) interval(%last at %at : tensor<?xi64>)
    outs(%r0 : tensor<16xf32>) -> tensor<16xf32>
  return %r : tensor<16xf32>
}

// -----

// The inner form. P and dS take two products, the gradients of query, key and
// value three; what goes to the field is sums over rows and over keys.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$JD:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$KD:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>
// CHECK-DAG: #[[$KI:.*]] = affine_map<(d0, d1, d2) -> (d2, d0)>

// CHECK-LABEL: func @inner(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<32x8xf32>, %[[V:.*]]: tensor<32x4xf32>, %[[O:.*]]: tensor<?x4xf32>, %[[LSE:.*]]: tensor<?xf32>, %[[DO:.*]]: tensor<?x4xf32>, %[[DLSE:.*]]: tensor<?xf32>, %[[F:.*]]: tensor<32xf32>, %[[R:.*]]: tensor<16xf32>, %[[S:.*]]: tensor<32xf32>, %[[DQ0:.*]]: tensor<16x8xf32>, %[[DK0:.*]]: tensor<32x8xf32>, %[[DV0:.*]]: tensor<32x4xf32>, %[[C0:.*]]: tensor<16xf32>, %[[DL0:.*]]: tensor<32xf32>, %[[DS0:.*]]: tensor<32xf32>, %[[DF0:.*]]: tensor<32xf32>)
// CHECK-DAG:     %[[LOG2E:.*]] = arith.constant dense<1.44269502> : vector<16xf32>
// CHECK-DAG:     %[[NLOG2E:.*]] = arith.constant dense<-1.44269502> : vector<16x32xf32>
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG:     %[[ZEROI:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[ZEROJ:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16x32xf32>
// CHECK-DAG:     %[[KEYS:.*]] = arith.constant dense<32> : vector<32xi32>
// CHECK:         %[[QV:.*]] = vector.transfer_read %[[Q]]{{.*}} {in_bounds = [false, true]} : tensor<?x8xf32>, vector<16x8xf32>
// CHECK:         %[[KV:.*]] = vector.transfer_read %[[K]]
// CHECK:         %[[Q2:.*]] = arith.mulf %[[QV]]
// CHECK:         %[[QK:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$JD]], #[[$IJ]]], {{.*}}} %[[Q2]], %[[KV]], %[[ZERO]]
// CHECK:         vector.transfer_read %[[F]]
// CHECK:         %[[FFIN:.*]] = arith.maximumf
// CHECK:         %[[RV:.*]] = vector.transfer_read %[[R]]
// CHECK:         %[[RB:.*]] = vector.broadcast %[[RV]]
// CHECK:         %[[RIJ:.*]] = vector.transpose %[[RB]], [1, 0]
// CHECK:         vector.transfer_read %[[S]]
// CHECK:         %[[SFIN:.*]] = arith.maximumf
// How far the level is above the minimum, kept for the slope.
// CHECK:         %[[EXCESS:.*]] = arith.select {{.*}} : vector<16x32xi1>, vector<16x32xf32>
// CHECK:         %[[S2:.*]] = math.fma %[[EXCESS]], %[[NLOG2E]], %[[QK]]
// P = exp2(s2 - log2(e) lse); -inf is a row without any key.
// CHECK:         %[[LV:.*]] = vector.transfer_read %[[LSE]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[LV]], %[[NINF]]
// CHECK:         %[[L2:.*]] = arith.mulf %[[LV]], %[[LOG2E]]
// CHECK:         %[[SHIFT:.*]] = arith.select %[[NONE]], %[[ZEROI]], %[[L2]]
// CHECK:         %[[SB:.*]] = vector.broadcast %[[SHIFT]]
// CHECK:         %[[SIJ:.*]] = vector.transpose %[[SB]], [1, 0]
// CHECK:         %[[DIFF:.*]] = arith.subf %[[S2]], %[[SIJ]]
// CHECK:         %[[P:.*]] = math.exp2 %[[DIFF]] {fpa.nonpositive}
// dS = P (do v - Delta)
// CHECK:         %[[DOV:.*]] = vector.transfer_read %[[DO]]
// CHECK:         %[[VV:.*]] = vector.transfer_read %[[V]]
// CHECK:         %[[DP:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$JD]], #[[$IJ]]], {{.*}}} %[[DOV]], %[[VV]], %[[ZERO]]
// CHECK:         %[[OV:.*]] = vector.transfer_read %[[O]]
// CHECK:         %[[DOO:.*]] = arith.mulf %[[DOV]], %[[OV]]
// CHECK:         %[[SUM:.*]] = vector.multi_reduction <add>, %[[DOO]], %[[ZEROI]] [1]
// CHECK:         %[[DLSEV:.*]] = vector.transfer_read %[[DLSE]]
// CHECK:         %[[DELTA:.*]] = arith.subf %[[SUM]], %[[DLSEV]]
// CHECK:         %[[DB:.*]] = vector.broadcast %[[DELTA]]
// CHECK:         %[[DIJ:.*]] = vector.transpose %[[DB]], [1, 0]
// CHECK:         %[[DPD:.*]] = arith.subf %[[DP]], %[[DIJ]]
// CHECK:         %[[DS:.*]] = arith.mulf %[[P]], %[[DPD]]
// CHECK:         %[[DQV:.*]] = vector.transfer_read %[[DQ0]]
// CHECK:         %[[DQ:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$KD]], #[[$IJ]]], {{.*}}} %[[DS]], %[[KV]], %[[DQV]]
// CHECK:         %[[DKV:.*]] = vector.transfer_read %[[DK0]]
// CHECK:         %[[DK:.*]] = vector.contract {indexing_maps = [#[[$KI]], #[[$KD]], #[[$IJ]]], {{.*}}} %[[DS]], %[[QV]], %[[DKV]]
// CHECK:         %[[DVV:.*]] = vector.transfer_read %[[DV0]]
// CHECK:         %[[DV:.*]] = vector.contract {indexing_maps = [#[[$KI]], #[[$KD]], #[[$IJ]]], {{.*}}} %[[P]], %[[DOV]], %[[DVV]]
// E is dS where there is a penalty, or where that is not a number.
// CHECK:         %[[ABOVE:.*]] = arith.cmpf ugt, %[[EXCESS]], %[[ZERO]]
// CHECK:         %[[E:.*]] = arith.select %[[ABOVE]], %[[DS]], %[[ZERO]]
// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[EJ:.*]] = vector.multi_reduction <add>, %[[E]], %[[ZEROJ]] [0]
// CHECK:         %[[DLV:.*]] = vector.transfer_read %[[DL0]]
// CHECK:         %[[DL:.*]] = arith.subf %[[DLV]], %[[EJ]]
// Of equal minima that to the right of the tile counts: E goes to the carry.
// CHECK:         %[[SFIJ:.*]] = vector.broadcast %[[SFIN]]
// CHECK:         %[[ISROWS:.*]] = arith.cmpf ole, %[[RIJ]], %[[SFIJ]]
// CHECK:         %[[TOROWS:.*]] = arith.select %[[ISROWS]], %[[E]], %[[ZERO]]
// What came from the left ends where the tile's minimum is lower.
// CHECK:         %[[R1:.*]] = arith.minimumf %[[RV]]
// CHECK:         %[[LOWER:.*]] = arith.cmpf ogt, %[[RV]], %[[R1]]
// CHECK:         %[[ENDS:.*]] = arith.select %[[LOWER]], %[[CV]], %[[ZEROI]]
// CHECK:         %[[REST:.*]] = arith.select %[[LOWER]], %[[ZEROI]], %[[CV]]
// CHECK:         %[[ISLAST:.*]] = arith.cmpi eq, %{{.*}}, %[[KEYS]]
// CHECK:         %[[LASTIJ:.*]] = vector.broadcast %[[ISLAST]]
// CHECK:         %[[ENDSB:.*]] = vector.broadcast %[[ENDS]]
// CHECK:         %[[ENDSIJ:.*]] = vector.transpose %[[ENDSB]], [1, 0]
// CHECK:         %[[OWN:.*]] = arith.select %[[ISROWS]], %[[ZERO]], %[[E]]
// CHECK:         %[[TOKEYS:.*]] = arith.select %[[LASTIJ]], %[[ENDSIJ]], %[[OWN]]
// CHECK:         %[[MOVED:.*]] = vector.multi_reduction <add>, %[[TOROWS]], %[[ZEROI]] [1]
// CHECK:         %[[C1:.*]] = arith.addf %[[REST]], %[[MOVED]]
// CHECK:         %[[DSJ:.*]] = vector.multi_reduction <add>, %[[TOKEYS]], %[[ZEROJ]] [0]
// CHECK:         %[[DSV:.*]] = vector.transfer_read %[[DS0]]
// CHECK:         %[[DS1:.*]] = arith.addf %[[DSV]], %[[DSJ]]
// All is read before anything is written; the field's gradient is left alone.
// CHECK-NOT:     vector.transfer_read
// CHECK-DAG:     vector.transfer_write %[[DQ]], %[[DQ0]]
// CHECK-DAG:     vector.transfer_write %[[DK]], %[[DK0]]
// CHECK-DAG:     vector.transfer_write %[[DV]], %[[DV0]]
// CHECK-DAG:     vector.transfer_write %[[C1]], %[[C0]]
// CHECK-DAG:     vector.transfer_write %[[DL]], %[[DL0]]
// CHECK-DAG:     vector.transfer_write %[[DS1]], %[[DS0]]
// CHECK:         return {{.*}}, %[[DF0]]
func.func @inner(%q: tensor<?x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x4xf32>,
                 %o: tensor<?x4xf32>, %lse: tensor<?xf32>, %do: tensor<?x4xf32>,
                 %dlse: tensor<?xf32>, %f: tensor<32xf32>, %r: tensor<16xf32>, %s: tensor<32xf32>,
                 %dq0: tensor<16x8xf32>, %dk0: tensor<32x8xf32>, %dv0: tensor<32x4xf32>,
                 %c0: tensor<16xf32>, %dl0: tensor<32xf32>, %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>, tensor<16xf32>, tensor<32xf32>,
        tensor<32xf32>, tensor<32xf32>) {
  %d:7 = fpa.backward_tile ins(%q, %k, %v : tensor<?x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>)
    saved(%o, %lse : tensor<?x4xf32>, tensor<?xf32>) gradient(%do : tensor<?x4xf32>)
    lse_gradient(%dlse : tensor<?xf32>) field(%f, %r : tensor<32xf32>, tensor<16xf32>)
    suffix(%s : tensor<32xf32>)
    outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<16x8xf32>, tensor<32x8xf32>,
      tensor<32x4xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<32x8xf32>,
      tensor<32x4xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6 : tensor<16x8xf32>, tensor<32x8xf32>,
    tensor<32x4xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>, tensor<32xf32>
}

// -----

// The edge, smooth: the slope is sigmoid(beta z); masks on P, on dS and on what
// goes to the field. A sum over keys that ends at every minimum of the row.

// CHECK-LABEL: func @edge(
// CHECK-SAME:    %[[C0:[a-z0-9]*]]: tensor<16xf32>, %[[W0:[a-z0-9]*]]: tensor<?xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16x32xf32>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<16x32xf32>
// CHECK-DAG:     %[[BETA2:.*]] = arith.constant dense<2.885390{{.*}}> : vector<16x32xf32>
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : vector<16x32xf32>
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<16x32xf32>
// CHECK-DAG:     %[[WT:.*]] = tensor.extract_slice %[[W0]]
// CHECK:         %[[UPTO:.*]] = arith.cmpi sle
// CHECK:         %[[FROM:.*]] = arith.cmpi sge
// CHECK:         %[[SEES:.*]] = arith.andi %[[UPTO]], %[[FROM]]
// CHECK:         %[[REACH:.*]] = arith.select %[[UPTO]], %{{.*}}, %[[INF]]
// CHECK:         %[[BETWEEN:.*]], %{{.*}} = fpa.vector_scan <min> axis(1) reverse exclusive %[[REACH]],
// CHECK:         %[[Z:.*]] = arith.subf %{{.*}}, %[[BETWEEN]]
// CHECK:         %[[X:.*]] = arith.mulf %[[Z]], %[[BETA2]]
// CHECK:         %[[ABS:.*]] = math.absf %[[X]]
// CHECK:         %[[NEG:.*]] = arith.subf %[[ZERO]], %[[ABS]]
// CHECK:         %[[EXP:.*]] = math.exp2 %[[NEG]] {fpa.nonpositive}
// CHECK:         %[[SUM:.*]] = arith.addf %[[EXP]], %[[ONE]]
// CHECK:         %[[LOGIT:.*]] = arith.select %[[SEES]], %{{.*}}, %[[NINF]]
// CHECK:         %[[P:.*]] = math.exp2
// CHECK:         %[[DSALL:.*]] = arith.mulf %[[P]],
// CHECK:         %[[DS:.*]] = arith.select %[[SEES]], %[[DSALL]], %[[ZERO]]
// CHECK:         vector.mask %{{.*}} { vector.contract {{.*}} %[[DS]],
// CHECK:         vector.mask %{{.*}} { vector.contract {{.*}} %[[DS]],
// CHECK:         vector.mask %{{.*}} { vector.contract {{.*}} %[[P]],
// CHECK:         %[[ABOVE:.*]] = arith.cmpf ogt, %[[Z]], %[[ZERO]]
// CHECK:         %[[TOP:.*]] = arith.select %[[ABOVE]], %[[ONE]], %[[EXP]]
// CHECK:         %[[SLOPE:.*]] = arith.divf %[[TOP]], %[[SUM]]
// CHECK:         %[[EALL:.*]] = arith.mulf %[[DS]], %[[SLOPE]]
// CHECK:         %[[ESEEN:.*]] = arith.select %[[SEES]], %[[EALL]], %[[ZERO]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[BETWEEN]],
// CHECK:         %[[E:.*]] = arith.select %[[NONE]], %[[ZERO]], %[[ESEEN]]
// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[ISMIN:.*]] = arith.cmpf olt, %[[REACH]], %[[BETWEEN]]
// CHECK:         %[[BEFORE:.*]], %[[C1:.*]] = fpa.vector_scan <sum> axis(1) exclusive %[[E]], %[[CV]] reset(%[[ISMIN]])
// CHECK:         %[[ENDS:.*]] = arith.select %[[ISMIN]], %[[BEFORE]], %[[ZERO]]
// CHECK:         %[[DFJ:.*]] = vector.multi_reduction <add>, %[[ENDS]], %{{.*}} [0]
// CHECK:         %[[DF:.*]] = arith.addf %{{.*}}, %[[DFJ]]
// CHECK:         %[[CT:.*]] = vector.transfer_write %[[C1]], %[[C0]]
// CHECK:         %[[DFT:.*]] = vector.transfer_write %[[DF]], %[[WT]]
// CHECK:         return {{.*}}, %[[CT]], %{{.*}}, %[[WT]], %[[DFT]]
func.func @edge(%n: index, %q: tensor<16x8xf16>, %k: tensor<?x8xf16>, %o: tensor<16x8xf16>,
                %lse: tensor<16xf32>, %f: tensor<?xf32>, %l: tensor<?xf32>, %r: tensor<16xf32>,
                %first: tensor<?xi64>, %last: tensor<?xi64>, %at: index, %dq0: tensor<16x8xf32>,
                %dk0: tensor<?x8xf32>, %c0: tensor<16xf32>, %dl0: tensor<?xf32>)
    -> (tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>, tensor<16xf32>, tensor<?xf32>,
        tensor<?xf32>, tensor<?xf32>) {
  %size = affine.min affine_map<(d0) -> (32, d0)>(%n)
  %kt = tensor.extract_slice %k[0, 0] [%size, 8] [1, 1] : tensor<?x8xf16> to tensor<?x8xf16>
  %ft = tensor.extract_slice %f[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %lt = tensor.extract_slice %l[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %dk = tensor.extract_slice %dk0[0, 0] [%size, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %w = tensor.extract_slice %dl0[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %d:7 = fpa.backward_tile ins(%q, %kt, %kt : tensor<16x8xf16>, tensor<?x8xf16>, tensor<?x8xf16>)
    saved(%o, %lse : tensor<16x8xf16>, tensor<16xf32>) gradient(%o : tensor<16x8xf16>)
    field(%ft, %r : tensor<?xf32>, tensor<16xf32>) level(%lt : tensor<?xf32>)
    interval(%first, %last at %at : tensor<?xi64>, tensor<?xi64>)
    outs(%dq0, %dk, %dk, %c0, %w, %w, %w : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>,
      tensor<16xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    {scale = 0.5 : f64, smooth = 2.0 : f64} -> tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>,
      tensor<16xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %d#0, %d#1, %d#2, %d#3, %d#4, %d#5, %d#6 : tensor<16x8xf32>, tensor<?x8xf32>,
    tensor<?x8xf32>, tensor<16xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// The end of a short query tile: the surplus rows are not written.

// CHECK-LABEL: func @finalize(
// CHECK-SAME:    %[[A:.*]]: tensor<16x8xf32>, %[[DQ0:.*]]: tensor<?x8xbf16>)
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<5.000000e-01> : vector<16x8xf32>
// CHECK:         %[[AV:.*]] = vector.transfer_read %[[A]]
// CHECK:         %[[DQ:.*]] = arith.mulf %[[AV]], %[[SCALE]]
// CHECK:         %[[DQT:.*]] = arith.truncf %[[DQ]]
// CHECK:         vector.transfer_write %[[DQT]], %[[DQ0]][%{{.*}}] {in_bounds = [false, true]}
func.func @finalize(%a: tensor<16x8xf32>, %dq0: tensor<?x8xbf16>) -> tensor<?x8xbf16> {
  %dq = fpa.backward_finalize ins(%a : tensor<16x8xf32>) outs(%dq0 : tensor<?x8xbf16>)
    {scale = 0.5 : f64} -> tensor<?x8xbf16>
  return %dq : tensor<?x8xbf16>
}
