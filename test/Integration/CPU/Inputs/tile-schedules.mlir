// Tiles the ops that carry an attribute, by the sizes that it names.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %rows = transform.structured.match ops{["fpa.attention"]} attributes {tile = "rows"} in %root : (!transform.any_op) -> !transform.any_op
    %a, %b = transform.structured.tile_using_forall %rows tile_sizes [0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %heads = transform.structured.match ops{["fpa.attention"]} attributes {tile = "heads"} in %root : (!transform.any_op) -> !transform.any_op
    %c, %d:4 = transform.structured.tile_using_for %heads tile_sizes [1, 1, 5, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    %groups = transform.structured.match ops{["fpa.attention"]} attributes {tile = "groups"} in %root : (!transform.any_op) -> !transform.any_op
    %e, %f = transform.structured.tile_using_forall %groups tile_sizes [0, 4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %keys = transform.structured.match ops{["fpa.online_attention"]} attributes {tile = "keys"} in %root : (!transform.any_op) -> !transform.any_op
    %g:4, %h, %i, %j = transform.structured.tile_reduction_using_forall %keys reduction_dims = [1] by tile_sizes = [0, 16]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
