// One step of decoding with one new token: four query heads on two key heads.
!query = tensor<1x4x1x64xf16>
!new = tensor<1x2x1x64xf16>
!field = tensor<1x2x1xf32>
!keys = tensor<1x2x?x64xf16>
!row = tensor<1x2x?xf32>
!count = tensor<1x2xi64>
!sums = tensor<1x2x3xf64>

func.func @step(%q: !query, %k: !new, %v: !new, %f: !field,
                %ck_memory: memref<1x2x?x64xf16>, %cv_memory: memref<1x2x?x64xf16>,
                %cl_memory: memref<1x2x?xf32>, %cm_memory: memref<1x2x?xf32>,
                %n_memory: memref<1x2xi64>, %sums_memory: memref<1x2x3xf64>) -> !query {
  %ck = bufferization.to_tensor %ck_memory restrict writable : memref<1x2x?x64xf16> to !keys
  %cv = bufferization.to_tensor %cv_memory restrict writable : memref<1x2x?x64xf16> to !keys
  %cl = bufferization.to_tensor %cl_memory restrict writable : memref<1x2x?xf32> to !row
  %cm = bufferization.to_tensor %cm_memory restrict writable : memref<1x2x?xf32> to !row
  %n = bufferization.to_tensor %n_memory restrict writable : memref<1x2xi64> to !count
  %sums = bufferization.to_tensor %sums_memory restrict writable : memref<1x2x3xf64> to !sums
  %o0 = tensor.empty() : !query
  %o = fpa.cached_attention ins(%q, %k, %v : !query, !new, !new) field(%f : !field)
    cache(%ck, %cv, %cl, %cm, %n : !keys, !keys, !row, !row, !count)
    outs(%o0 : !query) {scale = 0.125 : f64} -> !query
  %u:6 = fpa.update_cache ins(%k, %v : !new, !new) field(%f : !field)
    outs(%ck, %cv, %cl, %cm, %n, %sums : !keys, !keys, !row, !row, !count, !sums)
    {evict_above = 12.0 : f64} -> !keys, !keys, !row, !row, !count, !sums
  bufferization.materialize_in_destination %u#0 in restrict writable %ck_memory : (!keys, memref<1x2x?x64xf16>) -> ()
  bufferization.materialize_in_destination %u#1 in restrict writable %cv_memory : (!keys, memref<1x2x?x64xf16>) -> ()
  bufferization.materialize_in_destination %u#2 in restrict writable %cl_memory : (!row, memref<1x2x?xf32>) -> ()
  bufferization.materialize_in_destination %u#3 in restrict writable %cm_memory : (!row, memref<1x2x?xf32>) -> ()
  bufferization.materialize_in_destination %u#4 in restrict writable %n_memory : (!count, memref<1x2xi64>) -> ()
  bufferization.materialize_in_destination %u#5 in restrict writable %sums_memory : (!sums, memref<1x2x3xf64>) -> ()
  return %o : !query
}
