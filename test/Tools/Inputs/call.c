/* Calls what fpa-compile wrote, through the header that it wrote. */
#include "entry.h"
#include <stdio.h>

int main(void) {
  float x[6] = {1, 2, 3, 4, 5, 6};
  fpa_2d_f32 in = {x, x, 0, {2, 3}, {3, 1}};
  fpa_results_main results;
  _mlir_ciface_main(&results, &in);
  for (int i = 0; i < 6; ++i)
    printf("%g ", results.out0.data[i]);
  printf("%lld\n", (long long)results.out0.sizes[1]);
  printf("%g\n", results.out1.data[0]);
  fpa_free(results.out0.allocated);
  fpa_free(results.out1.allocated);
  return 0;
}
