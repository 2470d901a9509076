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

// Where a copy is wanted the same is written twice.

// CHECK-LABEL: func @copy(
// CHECK-SAME:    %[[R0:[a-z0-9]*]]: tensor<16xf32>, %[[C0:[a-z0-9]*]]: tensor<16xf32>)
// CHECK:         %[[RV:.*]] = vector.transfer_read %[[R0]]
// CHECK:         %{{.*}}, %[[R1:.*]] = fpa.vector_scan <min> axis(1) reverse exclusive %{{.*}}, %[[RV]]
// CHECK-DAG:     %[[R:.*]] = vector.transfer_write %[[R1]], %[[R0]]
// CHECK-DAG:     %[[C:.*]] = vector.transfer_write %[[R1]], %[[C0]]
// CHECK:         return %[[R]], %[[C]]
func.func @copy(%f: tensor<32xf32>, %last: tensor<?xi64>, %at: index, %r0: tensor<16xf32>,
                %c0: tensor<16xf32>) -> (tensor<16xf32>, tensor<16xf32>) {
  %r:2 = fpa.pass_field field(%f : tensor<32xf32>) interval(%last at %at : tensor<?xi64>)
    outs(%r0, %c0 : tensor<16xf32>, tensor<16xf32>) -> tensor<16xf32>, tensor<16xf32>
  return %r#0, %r#1 : tensor<16xf32>, tensor<16xf32>
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
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<32x8xf32>, %[[V:.*]]: tensor<32x4xf32>, %[[DO:.*]]: tensor<?x4xf32>, %[[LSE:.*]]: tensor<?xf32>, %[[DELTA0:.*]]: tensor<16xf32>, %[[F:.*]]: tensor<32xf32>, %[[R:.*]]: tensor<16xf32>, %[[S:.*]]: tensor<32xf32>, %[[DQ0:.*]]: tensor<16x8xf32>, %[[DK0:.*]]: tensor<32x8xf32>, %[[DV0:.*]]: tensor<32x4xf32>, %[[C0:.*]]: tensor<16xf32>, %[[DL0:.*]]: tensor<32xf32>, %[[DS0:.*]]: tensor<32xf32>, %[[DF0:.*]]: tensor<32xf32>)
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
// CHECK:         %[[BELOW:.*]] = arith.cmpf ogt, %[[LEVEL:[0-9a-z]+]], %[[SFIN]] :
// CHECK:         arith.bitcast %[[LEVEL]] : vector<32xf32> to vector<32xi32>
// CHECK:         %[[UNDER:.*]] = arith.bitcast %{{.*}} : vector<32xi32> to vector<32xf32>
// CHECK:         %[[T:.*]] = arith.select %[[BELOW]], %[[SFIN]], %[[UNDER]]
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
// CHECK:         %[[DELTA:.*]] = vector.transfer_read %[[DELTA0]]
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
// CHECK:         %[[TIJ:.*]] = vector.broadcast %[[T]]
// CHECK:         %[[ISROWS:.*]] = arith.cmpf ole, %[[RIJ]], %[[TIJ]]
// CHECK:         %[[ALLJ:.*]] = vector.multi_reduction <add>, %[[DS]], %[[ZEROJ]] [0]
// CHECK:         %[[BELOWIJ:.*]] = vector.broadcast %[[BELOW]]
// CHECK:         %[[ISOTHER:.*]] = arith.xori %[[ISROWS]], %[[BELOWIJ]]
// CHECK:         %[[OTHER:.*]] = arith.select %[[ISOTHER]], %[[DS]], %[[ZERO]]
// CHECK:         %[[OTHERJ:.*]] = vector.multi_reduction <add>, %[[OTHER]], %[[ZEROJ]] [0]
// CHECK:         %[[EJ:.*]] = arith.select %[[BELOW]], %[[ALLJ]], %[[OTHERJ]]
// CHECK:         %[[DLV:.*]] = vector.transfer_read %[[DL0]]
// CHECK:         %[[DL:.*]] = arith.subf %[[DLV]], %[[EJ]]

// CHECK:         %[[OWNJ:.*]] = arith.select %[[BELOW]], %[[OTHERJ]], %[[ZEROJ]]

// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[R1:.*]] = arith.minimumf %[[RV]]
// CHECK:         %[[LOWER:.*]] = arith.cmpf ogt, %[[RV]], %[[R1]]
// CHECK:         %[[TOROWS:.*]] = arith.select %[[ISROWS]], %[[DS]], %[[ZERO]]
// CHECK:         %[[MOVED:.*]] = vector.multi_reduction <add>, %[[TOROWS]], %[[ZEROI]] [1]
// CHECK:         %[[REST:.*]] = arith.select %[[LOWER]], %[[ZEROI]], %[[CV]]
// CHECK:         %[[C1:.*]] = arith.addf %[[REST]], %[[MOVED]]
// CHECK:         %[[ENDS:.*]] = arith.select %[[LOWER]], %[[CV]], %[[ZEROI]]
// CHECK:         %[[ISLAST:.*]] = arith.cmpi eq, %{{.*}}, %[[KEYS]]
// CHECK:         %[[ENDSUM:.*]] = vector.multi_reduction <add>, %[[ENDS]],
// CHECK:         %[[ENDJ:.*]] = vector.broadcast %[[ENDSUM]]
// CHECK:         %[[ATLAST:.*]] = arith.select %[[ISLAST]], %[[ENDJ]], %[[ZEROJ]]
// CHECK:         %[[DSJ:.*]] = arith.addf %[[OWNJ]], %[[ATLAST]]
// CHECK:         %[[DSV:.*]] = vector.transfer_read %[[DS0]]
// CHECK:         %[[DS1:.*]] = arith.addf %[[DSV]], %[[DSJ]]

// CHECK-NOT:     vector.transfer_read
// CHECK-DAG:     vector.transfer_write %[[DQ]], %[[DQ0]]
// CHECK-DAG:     vector.transfer_write %[[DK]], %[[DK0]]
// CHECK-DAG:     vector.transfer_write %[[DV]], %[[DV0]]
// CHECK-DAG:     vector.transfer_write %[[C1]], %[[C0]]
// CHECK-DAG:     vector.transfer_write %[[DL]], %[[DL0]]
// CHECK-DAG:     vector.transfer_write %[[DS1]], %[[DS0]]
// CHECK:         return {{.*}}, %[[DF0]]
func.func @inner(%q: tensor<?x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x4xf32>,
                 %do: tensor<?x4xf32>, %lse: tensor<?xf32>, %delta: tensor<16xf32>,
                 %f: tensor<32xf32>, %r: tensor<16xf32>, %s: tensor<32xf32>,
                 %dq0: tensor<16x8xf32>, %dk0: tensor<32x8xf32>, %dv0: tensor<32x4xf32>,
                 %c0: tensor<16xf32>, %dl0: tensor<32xf32>, %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>, tensor<16xf32>, tensor<32xf32>,
        tensor<32xf32>, tensor<32xf32>) {
  %d:7 = fpa.backward_tile ins(%q, %k, %v : tensor<?x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>)
    gradient(%do : tensor<?x4xf32>) saved(%lse, %delta : tensor<?xf32>, tensor<16xf32>)
    field(%f, %r : tensor<32xf32>, tensor<16xf32>) suffix(%s : tensor<32xf32>)
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
// CHECK:         %[[ISMIN:.*]] = arith.cmpf olt, %[[REACH]], %[[BETWEEN]]
// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[BEFORE:.*]], %[[C1:.*]] = fpa.vector_scan <sum> axis(1) exclusive %[[E]], %[[CV]] reset(%[[ISMIN]])
// CHECK:         %[[ENDS:.*]] = arith.select %[[ISMIN]], %[[BEFORE]], %[[ZERO]]
// CHECK:         %[[DFJ:.*]] = vector.multi_reduction <add>, %[[ENDS]], %{{.*}} [0]
// CHECK:         %[[DF:.*]] = arith.addf %{{.*}}, %[[DFJ]]
// CHECK:         %[[CT:.*]] = vector.transfer_write %[[C1]], %[[C0]]
// CHECK:         %[[DFT:.*]] = vector.transfer_write %[[DF]], %[[WT]]
// CHECK:         return {{.*}}, %[[CT]], %{{.*}}, %[[WT]], %[[DFT]]
func.func @edge(%n: index, %q: tensor<16x8xf16>, %k: tensor<?x8xf16>, %do: tensor<16x8xf16>,
                %lse: tensor<16xf32>, %delta: tensor<16xf32>, %f: tensor<?xf32>,
                %l: tensor<?xf32>, %r: tensor<16xf32>,
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
    gradient(%do : tensor<16x8xf16>) saved(%lse, %delta : tensor<16xf32>, tensor<16xf32>)
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

// Rows that walk along keys: no product for keys. R is no more than what is
// passed besides. Of the suffixes only the last key's place is added to, that of
// the carries which end here.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$JD:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$KD:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// CHECK-LABEL: func @queries(
// CHECK-SAME:    %[[R:[a-z0-9]*]]: tensor<16xf32>, %[[P:[a-z0-9]*]]: f32, %[[S:[a-z0-9]*]]: tensor<32xf32>, %[[DQ0:[a-z0-9]*]]: tensor<16x8xf32>, %[[C0:[a-z0-9]*]]: tensor<16xf32>, %[[DS0:[a-z0-9]*]]: tensor<32xf32>, %[[DF0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16x32xf32>
// CHECK-DAG:     %[[ZEROI:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[ZEROJ:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK-DAG:     %[[ZEROS:.*]] = arith.constant 0.000000e+00 : f32
// CHECK:         %[[KV:.*]] = vector.transfer_read %{{.*}} : tensor<32x8xf32>, vector<32x8xf32>
// CHECK:         vector.contract {indexing_maps = [#[[$ID]], #[[$JD]], #[[$IJ]]], {{.*}}} %{{.*}}, %[[KV]], %[[ZERO]] : {{.*}} into vector<16x32xf32>
// CHECK:         %[[OWN:.*]] = vector.transfer_read %[[R]]
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[P]] : f32 to vector<16xf32>
// CHECK:         %[[RV:.*]] = arith.minimumf %[[OWN]], %[[ALL]]
// CHECK:         %[[RB:.*]] = vector.broadcast %[[RV]]
// CHECK:         %[[RIJ:.*]] = vector.transpose %[[RB]], [1, 0]
// CHECK:         vector.contract {indexing_maps = [#[[$ID]], #[[$JD]], #[[$IJ]]], {{.*}} into vector<16x32xf32>
// CHECK:         %[[DS:.*]] = arith.mulf
// CHECK:         %[[DQV:.*]] = vector.transfer_read %[[DQ0]]
// CHECK:         %[[DQ:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$KD]], #[[$IJ]]], {{.*}}} %[[DS]], %[[KV]], %[[DQV]]
// CHECK-NOT:     vector.contract
// CHECK:         %[[ISROWS:.*]] = arith.cmpf ole, %[[RIJ]]
// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[R1:.*]] = arith.minimumf %[[RV]]
// CHECK:         %[[LOWER:.*]] = arith.cmpf ogt, %[[RV]], %[[R1]]
// CHECK:         %[[TOROWS:.*]] = arith.select %[[ISROWS]], %[[DS]], %[[ZERO]]
// CHECK:         %[[MOVED:.*]] = vector.multi_reduction <add>, %[[TOROWS]], %[[ZEROI]] [1]
// CHECK:         %[[REST:.*]] = arith.select %[[LOWER]], %[[ZEROI]], %[[CV]]
// CHECK:         %[[C1:.*]] = arith.addf %[[REST]], %[[MOVED]]
// CHECK:         %[[ENDS:.*]] = arith.select %[[LOWER]], %[[CV]], %[[ZEROI]]
// CHECK:         %[[ISLAST:.*]] = arith.cmpi eq
// CHECK:         %[[SUM:.*]] = vector.multi_reduction <add>, %[[ENDS]], %[[ZEROS]] [0] : vector<16xf32> to f32
// CHECK:         %[[SUMJ:.*]] = vector.broadcast %[[SUM]] : f32 to vector<32xf32>
// CHECK:         %[[ATLAST:.*]] = arith.select %[[ISLAST]], %[[SUMJ]], %[[ZEROJ]]
// CHECK:         %[[DSV:.*]] = vector.transfer_read %[[DS0]]
// CHECK:         %[[DS1:.*]] = arith.addf %[[DSV]], %[[ATLAST]]
// CHECK-NOT:     vector.transfer_read
// CHECK-DAG:     %[[DQT:.*]] = vector.transfer_write %[[DQ]], %[[DQ0]]
// CHECK-DAG:     %[[CT:.*]] = vector.transfer_write %[[C1]], %[[C0]]
// CHECK-DAG:     %[[DST:.*]] = vector.transfer_write %[[DS1]], %[[DS0]]
// CHECK:         return %[[DQT]], %[[CT]], %[[DST]], %[[DF0]]
func.func @queries(%q: tensor<?x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x4xf32>,
                   %do: tensor<?x4xf32>, %lse: tensor<?xf32>, %delta: tensor<16xf32>,
                   %f: tensor<32xf32>, %r: tensor<16xf32>, %p: f32, %s: tensor<32xf32>,
                   %dq0: tensor<16x8xf32>, %c0: tensor<16xf32>, %ds0: tensor<32xf32>,
                   %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <queries>
    ins(%q, %k, %v : tensor<?x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>)
    gradient(%do : tensor<?x4xf32>) saved(%lse, %delta : tensor<?xf32>, tensor<16xf32>)
    field(%f, %r : tensor<32xf32>, tensor<16xf32>) passed(%p : f32) suffix(%s : tensor<32xf32>)
    outs(%dq0, %c0, %ds0, %df0 : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
}

// -----

// In an edge they carry along keys, add to the field, and leave the suffixes.

// CHECK-LABEL: func @queries_edge(
// CHECK-SAME:    %[[C0:[a-z0-9]*]]: tensor<16xf32>, %[[DS0:[a-z0-9]*]]: tensor<32xf32>, %[[DF0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK-COUNT-3: vector.contract
// CHECK-NOT:     vector.contract
// CHECK:         %[[ISMIN:.*]] = arith.cmpf olt
// CHECK:         %[[CV:.*]] = vector.transfer_read %[[C0]]
// CHECK:         %[[BEFORE:.*]], %[[C1:.*]] = fpa.vector_scan <sum> axis(1) exclusive %{{.*}}, %[[CV]] reset(%[[ISMIN]])
// CHECK:         %[[ENDS:.*]] = arith.select %[[ISMIN]], %[[BEFORE]]
// CHECK:         vector.multi_reduction <add>, %[[ENDS]], %{{.*}} [0]
// CHECK:         %[[CT:.*]] = vector.transfer_write %[[C1]], %[[C0]]
// CHECK:         %[[DFT:.*]] = vector.transfer_write %{{.*}}, %[[DF0]]
// CHECK:         return %{{.*}}, %[[CT]], %[[DS0]], %[[DFT]]
func.func @queries_edge(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                        %delta: tensor<16xf32>, %f: tensor<32xf32>, %r: tensor<16xf32>,
                        %i: tensor<16xi64>, %at: index, %dq0: tensor<16x8xf32>, %c0: tensor<16xf32>,
                        %ds0: tensor<32xf32>, %df0: tensor<32xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <queries>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %delta : tensor<16xf32>, tensor<16xf32>)
    field(%f, %r : tensor<32xf32>, tensor<16xf32>)
    interval(%i, %i at %at : tensor<16xi64>, tensor<16xi64>)
    outs(%dq0, %c0, %ds0, %df0 : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<16x8xf32>, tensor<16xf32>, tensor<32xf32>, tensor<32xf32>
}

// -----

// Keys that walk along rows: blocks have a row for each key, and what is summed
// over rows is a reduction of columns. The scale is on the key. Sums have keys to
// spare.

// CHECK-DAG: #[[$JD:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$JI:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$KD:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// CHECK-LABEL: func @keys(
// CHECK-SAME:    %[[Q:[a-z0-9]*]]: tensor<16x8xf32>, %{{[a-z0-9]*}}: tensor<?x8xf32>, %[[DO:[a-z0-9]*]]: tensor<16x8xf32>, {{.*}}, %[[DK0:[a-z0-9]*]]: tensor<32x8xf32>, %[[DV0:[a-z0-9]*]]: tensor<32x8xf32>, %[[DL0:[a-z0-9]*]]: tensor<32xf32>, %[[DS0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<32x16xf32>
// CHECK-DAG:     %[[ZEROJ:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK:         %[[QV:.*]] = vector.transfer_read %[[Q]]
// CHECK:         %[[KV:.*]] = vector.transfer_read {{.*}} {in_bounds = [false, true]} : tensor<?x8xf32>, vector<32x8xf32>
// CHECK:         %[[K2:.*]] = arith.mulf %[[KV]]
// CHECK:         vector.contract {indexing_maps = [#[[$JD]], #[[$ID]], #[[$JI]]], {{.*}}} %[[K2]], %[[QV]], %[[ZERO]] : {{.*}} into vector<32x16xf32>
// CHECK:         %[[P:.*]] = math.exp2
// CHECK:         %[[DOV:.*]] = vector.transfer_read %[[DO]]
// CHECK:         vector.contract {indexing_maps = [#[[$JD]], #[[$ID]], #[[$JI]]], {{.*}}} %[[KV]], %[[DOV]], %[[ZERO]]
// CHECK:         %[[DS:.*]] = arith.mulf %[[P]],
// CHECK:         %[[DKV:.*]] = vector.transfer_read %[[DK0]]
// CHECK:         %[[DK:.*]] = vector.contract {indexing_maps = [#[[$JD]], #[[$KD]], #[[$JI]]], {{.*}}} %[[DS]], %[[QV]], %[[DKV]]
// CHECK:         %[[DVV:.*]] = vector.transfer_read %[[DV0]]
// CHECK:         %[[DV:.*]] = vector.contract {indexing_maps = [#[[$JD]], #[[$KD]], #[[$JI]]], {{.*}}} %[[P]], %[[DOV]], %[[DVV]]
// CHECK:         %[[ISROWS:.*]] = arith.cmpf ole
// CHECK:         %[[ALLJ:.*]] = vector.multi_reduction <add>, %[[DS]], %[[ZEROJ]] [1]
// CHECK:         %[[ISOTHER:.*]] = arith.xori %[[ISROWS]]
// CHECK:         %[[OTHER:.*]] = arith.select %[[ISOTHER]], %[[DS]], %[[ZERO]]
// CHECK:         %[[OTHERJ:.*]] = vector.multi_reduction <add>, %[[OTHER]], %[[ZEROJ]] [1]
// CHECK:         %[[EJ:.*]] = arith.select %[[BELOW:.*]], %[[ALLJ]], %[[OTHERJ]]
// CHECK:         %[[DLV:.*]] = vector.transfer_read %[[DL0]]
// CHECK:         %[[DL:.*]] = arith.subf %[[DLV]], %[[EJ]]
// The carry is not here: what goes to it is left out.
// CHECK:         %[[OWNJ:.*]] = arith.select %[[BELOW]], %[[OTHERJ]], %[[ZEROJ]]
// CHECK:         %[[DSV:.*]] = vector.transfer_read %[[DS0]]
// CHECK:         %[[DS1:.*]] = arith.addf %[[DSV]], %[[OWNJ]]
// CHECK-NOT:     vector.transfer_read
// CHECK-DAG:     vector.transfer_write %[[DK]], %[[DK0]]{{.*}} {in_bounds = [true, true]}
// CHECK-DAG:     vector.transfer_write %[[DV]], %[[DV0]]
// CHECK-DAG:     vector.transfer_write %[[DL]], %[[DL0]]
// CHECK-DAG:     vector.transfer_write %[[DS1]], %[[DS0]]
func.func @keys(%n: index, %q: tensor<16x8xf32>, %k: tensor<?x8xf32>, %do: tensor<16x8xf32>,
                %lse: tensor<16xf32>, %delta: tensor<16xf32>, %f: tensor<?xf32>,
                %r: tensor<16xf32>, %s: tensor<?xf32>, %dk0: tensor<32x8xf32>,
                %dv0: tensor<32x8xf32>, %dl0: tensor<32xf32>, %ds0: tensor<32xf32>)
    -> (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  %size = affine.min affine_map<(d0) -> (32, d0)>(%n)
  %kt = tensor.extract_slice %k[0, 0] [%size, 8] [1, 1] : tensor<?x8xf32> to tensor<?x8xf32>
  %ft = tensor.extract_slice %f[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %st = tensor.extract_slice %s[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %d:4 = fpa.backward_tile part <keys>
    ins(%q, %kt, %kt : tensor<16x8xf32>, tensor<?x8xf32>, tensor<?x8xf32>)
    gradient(%do : tensor<16x8xf32>) saved(%lse, %delta : tensor<16xf32>, tensor<16xf32>)
    field(%ft, %r : tensor<?xf32>, tensor<16xf32>) suffix(%st : tensor<?xf32>)
    outs(%dk0, %dv0, %dl0, %ds0 : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>,
      tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
}

// -----

// In an edge the minima of each row are found by a scan over rows of the block;
// the field is left to the walk of queries.

// CHECK-LABEL: func @keys_edge(
// CHECK-SAME:    %[[DL0:[a-z0-9]*]]: tensor<32xf32>, %[[DS0:[a-z0-9]*]]: tensor<32xf32>)
// CHECK:         %[[UPTO:.*]] = arith.cmpi sle, {{.*}} : vector<32x16xi32>
// CHECK:         %[[FROM:.*]] = arith.cmpi sge, {{.*}} : vector<32x16xi32>
// CHECK:         %[[SEES:.*]] = arith.andi %[[UPTO]], %[[FROM]]
// CHECK:         fpa.vector_scan <min> axis(0) reverse exclusive {{.*}} : vector<32x16xf32>, vector<16xf32>
// CHECK:         %[[P:.*]] = math.exp2
// CHECK:         %[[DS:.*]] = arith.select %[[SEES]], %{{.*}}, %{{.*}} : vector<32x16xi1>, vector<32x16xf32>
// CHECK:         %[[MASKB:.*]] = vector.broadcast %[[SEES]] : vector<32x16xi1> to vector<8x32x16xi1>
// CHECK:         %[[MASK:.*]] = vector.transpose %[[MASKB]], [1, 0, 2]
// CHECK:         vector.mask %[[MASK]] { vector.contract {{.*}} %[[DS]],
// CHECK:         vector.mask %[[MASK]] { vector.contract {{.*}} %[[P]],
// CHECK-NOT:     fpa.vector_scan
// CHECK:         %[[DL:.*]] = vector.transfer_write %{{.*}}, %[[DL0]]
// CHECK:         return %{{.*}}, %{{.*}}, %[[DL]], %[[DS0]]
func.func @keys_edge(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %lse: tensor<16xf32>,
                     %delta: tensor<16xf32>, %f: tensor<32xf32>, %r: tensor<16xf32>,
                     %i: tensor<16xi64>, %at: index, %dk0: tensor<32x8xf32>,
                     %dl0: tensor<32xf32>, %ds0: tensor<32xf32>)
    -> (tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>) {
  %d:4 = fpa.backward_tile part <keys>
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    gradient(%q : tensor<16x8xf32>) saved(%lse, %delta : tensor<16xf32>, tensor<16xf32>)
    field(%f, %r : tensor<32xf32>, tensor<16xf32>)
    interval(%i, %i at %at : tensor<16xi64>, tensor<16xi64>)
    outs(%dk0, %dk0, %dl0, %ds0 : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>,
      tensor<32xf32>)
    {scale = 0.5 : f64} -> tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
  return %d#0, %d#1, %d#2, %d#3
    : tensor<32x8xf32>, tensor<32x8xf32>, tensor<32xf32>, tensor<32xf32>
}

// -----

// Delta of rows that are not there is 0.

// CHECK-LABEL: func @delta(
// CHECK-SAME:    %[[O:.*]]: tensor<?x8xf16>, %[[DO:.*]]: tensor<?x8xf16>, %[[DLSE:.*]]: tensor<?xf32>, %[[D0:.*]]: tensor<16xf32>)
// CHECK-DAG:     %[[ZEROI:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[NONE:.*]] = arith.constant 0.000000e+00 : f16
// CHECK:         %[[DOH:.*]] = vector.transfer_read %[[DO]]{{.*}}, %[[NONE]] {in_bounds = [false, true]} : tensor<?x8xf16>, vector<16x8xf16>
// CHECK:         %[[DOV:.*]] = arith.extf %[[DOH]]
// CHECK:         %[[OH:.*]] = vector.transfer_read %[[O]]
// CHECK:         %[[OV:.*]] = arith.extf %[[OH]]
// CHECK:         %[[DOO:.*]] = arith.mulf %[[DOV]], %[[OV]]
// CHECK:         %[[SUM:.*]] = vector.multi_reduction <add>, %[[DOO]], %[[ZEROI]] [1]
// CHECK:         %[[DLSEV:.*]] = vector.transfer_read %[[DLSE]]
// CHECK:         %[[DELTA:.*]] = arith.subf %[[SUM]], %[[DLSEV]]
// CHECK:         vector.transfer_write %[[DELTA]], %[[D0]][%{{.*}}] {in_bounds = [true]}
func.func @delta(%o: tensor<?x8xf16>, %do: tensor<?x8xf16>, %dlse: tensor<?xf32>,
                 %d0: tensor<16xf32>) -> tensor<16xf32> {
  %d = fpa.backward_delta ins(%o, %do : tensor<?x8xf16>, tensor<?x8xf16>)
    lse_gradient(%dlse : tensor<?xf32>) outs(%d0 : tensor<16xf32>) -> tensor<16xf32>
  return %d : tensor<16xf32>
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
