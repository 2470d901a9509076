// RUN: fpa-opt %s -split-input-file --fpa-vectorize-tiles --canonicalize --cse | FileCheck %s
// RUN: fpa-opt %s -split-input-file --fpa-vectorize-tiles=products-only --canonicalize --cse | FileCheck %s --check-prefix=PRODUCTS
// RUN: fpa-opt %s -split-input-file --fpa-vectorize-tiles=key-multiple=16 --canonicalize --cse | FileCheck %s --check-prefix=MULTIPLE
// RUN: not fpa-opt %s -split-input-file --fpa-vectorize-tiles=key-multiple=0 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: expected option key-multiple to be at least 1, got 0

// The inner form, tied: one subtraction and one maximum per logit.

// CHECK-DAG: #[[$ID:.*]] = affine_map<(d0, d1, d2) -> (d0, d2)>
// CHECK-DAG: #[[$JD:.*]] = affine_map<(d0, d1, d2) -> (d1, d2)>
// CHECK-DAG: #[[$IJ:.*]] = affine_map<(d0, d1, d2) -> (d0, d1)>
// CHECK-DAG: #[[$JE:.*]] = affine_map<(d0, d1, d2) -> (d2, d1)>

// CHECK-LABEL: func @inner(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<32x8xf32>, %[[V:.*]]: tensor<32x4xf32>, %[[F:.*]]: tensor<32xf32>, %[[S:.*]]: tensor<32xf32>, %[[A0:.*]]: tensor<16x4xf32>, %[[M0:.*]]: tensor<16xf32>, %[[L0:.*]]: tensor<16xf32>, %[[R0:.*]]: tensor<16xf32>)
// CHECK-DAG:     %[[SCALE:.*]] = arith.constant dense<0.721347{{.*}}> : vector<16x8xf32>
// CHECK-DAG:     %[[NLOG2E:.*]] = arith.constant dense<-1.44269502> : vector<16x32xf32>
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK-DAG:     %[[ZERO1:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[ZERO2:.*]] = arith.constant dense<0.000000e+00> : vector<16x32xf32>
// CHECK-DAG:     %[[BIG:.*]] = arith.constant dense<3.40282347E+38> : vector<32xf32>
// CHECK-DAG:     %[[NBIG:.*]] = arith.constant dense<-3.40282347E+38> : vector<32xf32>
// CHECK:         %[[QV:.*]] = vector.transfer_read %[[Q]]{{.*}} {in_bounds = [false, true]} : tensor<?x8xf32>, vector<16x8xf32>
// CHECK:         %[[KV:.*]] = vector.transfer_read %[[K]]{{.*}} {in_bounds = [true, true]} : tensor<32x8xf32>, vector<32x8xf32>
// CHECK:         %[[Q2:.*]] = arith.mulf %[[QV]], %[[SCALE]]
// CHECK:         %[[QK:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$JD]], #[[$IJ]]], {{.*}}} %[[Q2]], %[[KV]], %[[ZERO2]]
// CHECK:         %[[RV:.*]] = vector.transfer_read %[[R0]]
// CHECK:         %[[FV:.*]] = vector.transfer_read %[[F]]
// CHECK:         %[[FLOW:.*]] = arith.minimumf %[[FV]], %[[BIG]]
// CHECK:         %[[FFIN:.*]] = arith.maximumf %[[FLOW]], %[[NBIG]]
// CHECK:         %[[RB:.*]] = vector.broadcast %[[RV]] : vector<16xf32> to vector<32x16xf32>
// CHECK:         %[[RIJ:.*]] = vector.transpose %[[RB]], [1, 0]
// CHECK:         %[[SV:.*]] = vector.transfer_read %[[S]]
// CHECK:         %[[SFIN:.*]] = arith.maximumf %[[SV]], %[[NBIG]]
// CHECK:         %[[LS:.*]] = arith.subf %[[FFIN]], %[[SFIN]]
// CHECK:         %[[CLAMP:.*]] = arith.cmpf ogt, %[[ZERO]], %[[LS]]
// CHECK:         %[[AJ:.*]] = arith.select %[[CLAMP]], %[[ZERO]], %[[LS]]
// CHECK:         %[[NAN:.*]] = arith.cmpf uno, %[[AJ]], %[[AJ]]
// CHECK:         %[[LEVEL:.*]] = arith.select %[[NAN]], %[[AJ]], %[[FFIN]]
// CHECK:         %[[LIJ:.*]] = vector.broadcast %[[LEVEL]] : vector<32xf32> to vector<16x32xf32>
// CHECK:         %[[AIJ:.*]] = vector.broadcast %[[AJ]] : vector<32xf32> to vector<16x32xf32>
// CHECK:         %[[Z:.*]] = arith.subf %[[LIJ]], %[[RIJ]]
// CHECK:         %[[GT:.*]] = arith.cmpf ogt, %[[AIJ]], %[[Z]]
// CHECK:         %[[PEN:.*]] = arith.select %[[GT]], %[[AIJ]], %[[Z]]
// CHECK:         %[[S2:.*]] = math.fma %[[PEN]], %[[NLOG2E]], %[[QK]]
// CHECK:         %[[F0:.*]] = vector.extract %[[FFIN]][0]
// CHECK:         %[[F0I:.*]] = vector.broadcast %[[F0]]
// CHECK:         %[[S0:.*]] = vector.extract %[[SFIN]][0]
// CHECK:         %[[S0I:.*]] = vector.broadcast %[[S0]]
// CHECK:         %[[TMIN:.*]] = arith.minimumf %[[F0I]], %[[S0I]]
// CHECK:         %[[R1:.*]] = arith.minimumf %[[RV]], %[[TMIN]]
// CHECK:         %[[MV:.*]] = vector.transfer_read %[[M0]]
// CHECK:         %[[RMAX:.*]] = vector.multi_reduction <maxnumf>, %[[S2]], %[[NINF]] [1]
// CHECK:         %[[GROWS:.*]] = arith.cmpf ogt, %[[RMAX]], %[[MV]]
// CHECK:         %[[M1:.*]] = arith.select %[[GROWS]], %[[RMAX]], %[[MV]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[M1]], %[[NINF]]
// CHECK:         %[[SAFE:.*]] = arith.select %[[NONE]], %[[ZERO1]], %[[M1]]
// CHECK:         %[[DM:.*]] = arith.subf %[[MV]], %[[SAFE]]
// CHECK:         %[[ALPHA:.*]] = math.exp2 %[[DM]]
// CHECK:         %[[SB:.*]] = vector.broadcast %[[SAFE]] : vector<16xf32> to vector<32x16xf32>
// CHECK:         %[[SIJ:.*]] = vector.transpose %[[SB]], [1, 0]
// CHECK:         %[[DS:.*]] = arith.subf %[[S2]], %[[SIJ]]
// CHECK:         %[[P:.*]] = math.exp2 %[[DS]]
// CHECK:         %[[LV:.*]] = vector.transfer_read %[[L0]]
// CHECK:         %[[PS:.*]] = vector.multi_reduction <add>, %[[P]], %[[ZERO1]] [1]
// CHECK:         %[[L1:.*]] = math.fma %[[ALPHA]], %[[LV]], %[[PS]]
// CHECK:         %[[AB:.*]] = vector.broadcast %[[ALPHA]] : vector<16xf32> to vector<4x16xf32>
// CHECK:         %[[AIE:.*]] = vector.transpose %[[AB]], [1, 0]
// CHECK:         %[[AV:.*]] = vector.transfer_read %[[A0]]
// CHECK:         %[[ASC:.*]] = arith.mulf %[[AIE]], %[[AV]]
// CHECK:         %[[VV:.*]] = vector.transfer_read %[[V]]
// CHECK:         %[[A1:.*]] = vector.contract {indexing_maps = [#[[$ID]], #[[$JE]], #[[$IJ]]], {{.*}}} %[[P]], %[[VV]], %[[ASC]]
// CHECK-DAG:     vector.transfer_write %[[A1]], %[[A0]]
// CHECK-DAG:     vector.transfer_write %[[M1]], %[[M0]]
// CHECK-DAG:     vector.transfer_write %[[L1]], %[[L0]]
// CHECK-DAG:     vector.transfer_write %[[R1]], %[[R0]]

// PRODUCTS-LABEL: func @inner(
// PRODUCTS:         %[[S:.*]] = vector.contract
// PRODUCTS-NOT:     exp2
// PRODUCTS-NOT:     arith.subf
// PRODUCTS:         %[[A:.*]] = vector.contract {{.*}} %[[S]],
// PRODUCTS:         vector.transfer_write %[[A]]
// PRODUCTS-NOT:     vector.transfer_write
// PRODUCTS:         return
func.func @inner(%q: tensor<?x8xf32>, %k: tensor<32x8xf32>, %v: tensor<32x4xf32>,
                 %f: tensor<32xf32>, %s: tensor<32xf32>,
                 %a0: tensor<16x4xf32>, %m0: tensor<16xf32>, %l0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %v : tensor<?x8xf32>, tensor<32x8xf32>, tensor<32x4xf32>)
    field(%f : tensor<32xf32>) suffix(%s : tensor<32xf32>)
    outs(%a0, %m0, %l0, %r0 : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// The edge form on a short tile whose size a constant bounds: padded reads,
// a mask on logits and on the product with the values.

// CHECK-LABEL: func @edge(
// CHECK-SAME:    %[[N:.*]]: index, %[[Q:.*]]: tensor<16x8xf16>, %[[K:.*]]: tensor<?x8xf16>, %[[V:.*]]: tensor<?x4xf16>, %[[F:.*]]: tensor<?xf32>, %[[LV:.*]]: tensor<?xf32>, %[[FIRST:.*]]: tensor<?xi64>, %[[LAST:.*]]: tensor<?xi64>, %[[OFF:.*]]: index,
// CHECK-DAG:     %[[ABOVE:.*]] = arith.constant dense<32> : vector<16xi64>
// CHECK-DAG:     %[[BELOW:.*]] = arith.constant dense<-1> : vector<16xi64>
// CHECK-DAG:     %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<16x32xf32>
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : vector<16x32xf32>
// CHECK-DAG:     %[[PADLAST:.*]] = arith.constant -1 : i64
// CHECK-DAG:     %[[PADFIRST:.*]] = arith.constant 0 : i64
// CHECK:         %[[FT:.*]] = tensor.extract_slice %[[F]]
// CHECK:         %[[LVT:.*]] = tensor.extract_slice %[[LV]]
// CHECK:         vector.transfer_read {{.*}} vector<16x8xf16>
// CHECK:         arith.extf {{.*}} vector<16x8xf16> to vector<16x8xf32>
// CHECK:         vector.transfer_read {{.*}} {in_bounds = [false, true]} : tensor<?x8xf16>, vector<32x8xf16>
// CHECK:         %[[QK:.*]] = vector.contract
// CHECK:         %[[STEP:.*]] = vector.step : vector<32xindex>
// CHECK:         %[[IOTA:.*]] = arith.index_cast %[[STEP]] : vector<32xindex> to vector<32xi32>
// CHECK:         %[[J:.*]] = vector.broadcast %[[IOTA]] : vector<32xi32> to vector<16x32xi32>
// CHECK:         %[[LASTV:.*]] = vector.transfer_read %[[LAST]][%{{.*}}], %[[PADLAST]] : tensor<?xi64>, vector<16xi64>
// CHECK:         %[[OFFI:.*]] = arith.index_cast %[[OFF]] : index to i64
// CHECK:         %[[OFFV:.*]] = vector.broadcast %[[OFFI]] : i64 to vector<16xi64>
// CHECK:         %[[REL:.*]] = arith.subi %[[LASTV]], %[[OFFV]]
// CHECK:         %[[RELLO:.*]] = arith.maxsi %[[REL]], %[[BELOW]]
// CHECK:         %[[RELHI:.*]] = arith.minsi %[[RELLO]], %[[ABOVE]]
// CHECK:         %[[REL32:.*]] = arith.trunci %[[RELHI]] : vector<16xi64> to vector<16xi32>
// CHECK:         %[[RELB:.*]] = vector.broadcast %[[REL32]] : vector<16xi32> to vector<32x16xi32>
// CHECK:         %[[RELIJ:.*]] = vector.transpose %[[RELB]], [1, 0]
// CHECK:         vector.transfer_read %[[FIRST]][%{{.*}}], %[[PADFIRST]]
// CHECK:         %[[FIRSTIJ:.*]] = vector.transpose
// CHECK:         %[[UPTO:.*]] = arith.cmpi sle, %[[J]], %[[RELIJ]]
// CHECK:         %[[FROM:.*]] = arith.cmpi sge, %[[J]], %[[FIRSTIJ]]
// CHECK:         %[[VALID:.*]] = arith.andi %[[UPTO]], %[[FROM]]
// CHECK:         %[[R:.*]] = vector.transfer_read
// CHECK:         vector.transfer_read %[[FT]]
// CHECK:         vector.transfer_read %[[LVT]]
// CHECK:         %[[LIJ:.*]] = vector.broadcast
// CHECK:         %[[W:.*]] = arith.select %[[UPTO]], %{{.*}}, %[[INF]]
// CHECK:         %[[M:.*]], %[[R1:.*]] = fpa.vector_scan <min> axis(1) reverse exclusive %[[W]], %[[R]]
// CHECK:         %[[Z:.*]] = arith.subf %{{.*}}, %[[M]]
// CHECK:         %[[GT:.*]] = arith.cmpf ogt, %[[ZERO:.*]], %[[Z]]
// CHECK:         %[[PEN:.*]] = arith.select %[[GT]], %[[ZERO]], %[[Z]]
// CHECK:         %[[S:.*]] = math.fma %[[PEN]], %{{.*}}, %[[QK]]
// CHECK:         arith.select %[[VALID]], %[[S]], %[[NINF]]
// CHECK:         %[[P:.*]] = math.exp2 %{{.*}} : vector<16x32xf32>
// CHECK:         %[[MB:.*]] = vector.broadcast %[[VALID]] : vector<16x32xi1> to vector<4x16x32xi1>
// CHECK:         %[[MASK:.*]] = vector.transpose %[[MB]], [1, 0, 2]
// CHECK:         vector.mask %[[MASK]] { vector.contract {{.*}} %[[P]],
func.func @edge(%n: index, %q: tensor<16x8xf16>, %k: tensor<?x8xf16>, %v: tensor<?x4xf16>,
                %f: tensor<?xf32>, %l: tensor<?xf32>, %first: tensor<?xi64>, %last: tensor<?xi64>, %off: index,
                %a0: tensor<16x4xf32>, %m0: tensor<16xf32>, %s0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %size = affine.min affine_map<(d0) -> (32, d0)>(%n)
  %kt = tensor.extract_slice %k[0, 0] [%size, 8] [1, 1] : tensor<?x8xf16> to tensor<?x8xf16>
  %vt = tensor.extract_slice %v[0, 0] [%size, 4] [1, 1] : tensor<?x4xf16> to tensor<?x4xf16>
  %ft = tensor.extract_slice %f[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %lt = tensor.extract_slice %l[0] [%size] [1] : tensor<?xf32> to tensor<?xf32>
  %a, %m, %s, %r = fpa.online_attention
    ins(%q, %kt, %vt : tensor<16x8xf16>, tensor<?x8xf16>, tensor<?x4xf16>)
    field(%ft : tensor<?xf32>) level(%lt : tensor<?xf32>)
    interval(%first, %last at %off : tensor<?xi64>, tensor<?xi64>)
    outs(%a0, %m0, %s0, %r0 : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %s, %r : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// A field that never rises: no maximum, and the running minimum stays.

// CHECK-LABEL: func @non_increasing(
// CHECK-SAME:    %[[R0:[a-z0-9]*]]: tensor<16xf32>)
// CHECK:         %[[QK:.*]] = vector.contract
// CHECK:         %[[PEN:.*]] = arith.subf
// CHECK-NEXT:    math.fma %[[PEN]], %{{.*}}, %[[QK]]
// CHECK:         return {{.*}}, %[[R0]]
func.func @non_increasing(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %f: tensor<32xf32>,
                          %a0: tensor<16x8xf32>, %m0: tensor<16xf32>, %l0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>)
    outs(%a0, %m0, %l0, %r0 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64, non_increasing} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// The smooth form, its suffix minima scanned here.

// CHECK-LABEL: func @smooth(
// CHECK-DAG:     %[[BETA2:.*]] = arith.constant dense<2.885390{{.*}}> : vector<16x32xf64>
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : vector<16x32xf64>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16x32xf64>
// CHECK-DAG:     %[[HALF:.*]] = arith.constant dense<5.000000e-01> : vector<16x32xf64>
// CHECK:         %[[QK:.*]] = vector.contract
// CHECK:         fpa.vector_scan <min> axis(0) reverse exclusive %{{.*}}, %{{.*}} : vector<32xf64>, vector<f64>
// CHECK:         %[[Z:.*]] = arith.select {{.*}} : vector<16x32xi1>, vector<16x32xf64>
// CHECK:         %[[X:.*]] = arith.mulf %[[Z]], %[[BETA2]]
// CHECK:         %[[ABS:.*]] = math.absf %[[X]]
// CHECK:         %[[NEG:.*]] = arith.subf %[[ZERO]], %[[ABS]]
// CHECK:         %[[EXP:.*]] = math.exp2 %[[NEG]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[EXP]], %[[ONE]]
// CHECK:         %[[LOG:.*]] = math.log2 %[[SUM]]
// CHECK:         %[[POS:.*]] = arith.select
// CHECK:         %[[SOFT:.*]] = arith.addf %[[POS]], %[[LOG]]
// CHECK:         %[[PEN:.*]] = arith.mulf %[[SOFT]], %[[HALF]]
// CHECK:         arith.subf %[[QK]], %[[PEN]]
func.func @smooth(%q: tensor<16x8xf64>, %k: tensor<32x8xf64>, %f: tensor<32xf64>,
                  %a0: tensor<16x8xf64>, %m0: tensor<16xf64>, %l0: tensor<16xf64>, %r0: tensor<16xf64>)
    -> (tensor<16x8xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf64>, tensor<32x8xf64>, tensor<32x8xf64>)
    field(%f : tensor<32xf64>)
    outs(%a0, %m0, %l0, %r0 : tensor<16x8xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>)
    {scale = 0.5 : f64, smooth = 2.0 : f64} -> tensor<16x8xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>
  return %a, %m, %l, %r : tensor<16x8xf64>, tensor<16xf64>, tensor<16xf64>, tensor<16xf64>
}

// -----

// The end of a short query tile: the surplus rows are not written.

// CHECK-LABEL: func @finalize(
// CHECK-SAME:    %[[A:.*]]: tensor<16x4xf32>, %[[M:.*]]: tensor<16xf32>, %[[S:.*]]: tensor<16xf32>, %[[O0:.*]]: tensor<?x4xbf16>, %[[L0:.*]]: tensor<?xf32>)
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<16xf32>
// CHECK-DAG:     %[[NINF:.*]] = arith.constant dense<0xFF800000> : vector<16xf32>
// CHECK-DAG:     %[[LN2:.*]] = arith.constant dense<0.693147182> : vector<16xf32>
// CHECK:         %[[AV:.*]] = vector.transfer_read %[[A]]
// CHECK:         %[[MV:.*]] = vector.transfer_read %[[M]]
// CHECK:         %[[SV:.*]] = vector.transfer_read %[[S]]
// CHECK:         %[[NONE:.*]] = arith.cmpf oeq, %[[SV]], %[[ZERO]]
// CHECK:         %[[INV:.*]] = arith.divf
// CHECK:         %[[SAFE:.*]] = arith.select %[[NONE]], %[[ZERO]], %[[INV]]
// CHECK:         %[[IE:.*]] = vector.transpose
// CHECK:         %[[OV:.*]] = arith.mulf %[[AV]], %[[IE]]
// CHECK:         %[[OT:.*]] = arith.truncf %[[OV]] : vector<16x4xf32> to vector<16x4xbf16>
// CHECK:         vector.transfer_write %[[OT]], %[[O0]][%{{.*}}] {in_bounds = [false, true]}
// CHECK:         %[[LOG:.*]] = math.log2 %[[SV]]
// CHECK:         %[[SUM:.*]] = arith.addf %[[MV]], %[[LOG]]
// CHECK:         %[[NAT:.*]] = arith.mulf %[[SUM]], %[[LN2]]
// CHECK:         %[[LSE:.*]] = arith.select %[[NONE]], %[[NINF]], %[[NAT]]
// CHECK:         vector.transfer_write %[[LSE]], %[[L0]][%{{.*}}] : vector<16xf32>, tensor<?xf32>

// PRODUCTS-LABEL: func @finalize(
// PRODUCTS:         %[[A:.*]] = vector.transfer_read %{{.*}} : tensor<16x4xf32>
// PRODUCTS-NOT:     divf
// PRODUCTS:         arith.truncf %[[A]]
func.func @finalize(%a: tensor<16x4xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>,
                    %o0: tensor<?x4xbf16>, %l0: tensor<?xf32>) -> (tensor<?x4xbf16>, tensor<?xf32>) {
  %o, %l = fpa.online_finalize
    ins(%a, %m, %s : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>)
    outs(%o0, %l0 : tensor<?x4xbf16>, tensor<?xf32>) -> tensor<?x4xbf16>, tensor<?xf32>
  return %o, %l : tensor<?x4xbf16>, tensor<?xf32>
}

// -----

// A minimum of all rows: the penalty is computed per key, and the product begins
// with it. The state's minimum is not read.

// CHECK-LABEL: func @common(
// CHECK-SAME:    %[[Q:[a-z0-9]+]]: tensor<16x8xf32>, %[[K:[a-z0-9]+]]: tensor<32x8xf32>, %[[F:[a-z0-9]+]]: tensor<32xf32>, %[[S:[a-z0-9]+]]: tensor<32xf32>, %[[C:[a-z0-9]+]]: f32,
// CHECK-SAME:    %[[R0:[a-z0-9]+]]: tensor<16xf32>)
// CHECK-DAG:     %[[COST:.*]] = arith.constant dense<-1.44269502> : vector<32xf32>
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<32xf32>
// CHECK-NOT:     vector.transfer_read %[[R0]]
// CHECK:         %[[CV:.*]] = vector.broadcast %[[C]] : f32 to vector<32xf32>
// CHECK:         arith.minimumf %{{.*}}, %[[CV]] : vector<32xf32>
// CHECK:         %[[Z:.*]] = arith.subf %{{.*}}, %{{.*}} : vector<32xf32>
// CHECK-NOT:     arith.subf
// CHECK:         %[[PEN:.*]] = arith.select %{{.*}}, %{{.*}}, %[[Z]] : vector<32xi1>, vector<32xf32>
// CHECK:         %[[PER:.*]] = math.fma %[[PEN]], %[[COST]], %[[ZERO]] : vector<32xf32>
// CHECK:         %[[ALL:.*]] = vector.broadcast %[[PER]] : vector<32xf32> to vector<16x32xf32>
// CHECK:         %[[S2:.*]] = vector.contract {{.*}}, %[[ALL]] : {{.*}} into vector<16x32xf32>
// CHECK:         vector.multi_reduction <maxnumf>, %[[S2]],
// CHECK-NOT:     vector.transfer_read %[[R0]]
// CHECK:         return %{{.*}}, %{{.*}}, %{{.*}}, %[[R0]]
func.func @common(%q: tensor<16x8xf32>, %k: tensor<32x8xf32>, %f: tensor<32xf32>, %s: tensor<32xf32>, %c: f32,
                  %a0: tensor<16x8xf32>, %m0: tensor<16xf32>, %l0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>) suffix(%s : tensor<32xf32>) common(%c : f32)
    outs(%a0, %m0, %l0, %r0 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// Blocks of a multiple of keys: what they are filled up with is not visible.

// MULTIPLE-LABEL: func @few_keys(
// MULTIPLE-SAME:    %[[K:[a-z0-9]+]]: tensor<1x8xf32>
// MULTIPLE:         vector.transfer_read %[[K]]{{.*}} {in_bounds = [false, true]} : tensor<1x8xf32>, vector<16x8xf32>
// MULTIPLE:         arith.cmpi slt
// MULTIPLE:         arith.select {{.*}} vector<16x16xi1>, vector<16x16xf32>
// MULTIPLE:         return
// CHECK-LABEL: func @few_keys(
// CHECK-NOT:     arith.cmpi slt
// CHECK:         return
func.func @few_keys(%k: tensor<1x8xf32>, %q: tensor<16x8xf32>, %f: tensor<1xf32>,
                    %a0: tensor<16x8xf32>, %m0: tensor<16xf32>, %l0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<16x8xf32>, tensor<1x8xf32>, tensor<1x8xf32>)
    field(%f : tensor<1xf32>) suffix(%f : tensor<1xf32>)
    outs(%a0, %m0, %l0, %r0 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}
