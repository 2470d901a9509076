/* Calls attention.mlir as fpa-compile compiled it:
 *
 *   fpa-compile attention.mlir -o attention.o
 *   fpa-compile attention.mlir --emit=header -o attention.h
 *   cc attention.c attention.o -Lbuild/lib -lfpa_runtime -lm \
 *     -Wl,-rpath,"$PWD/build/lib"
 *
 * With a query of 0 and a field that never dips, a row is the mean of the
 * values that it sees: 0, 1/2, 1, ... where value j is j. */
#include "attention.h"
#include <stdio.h>
#include <stdlib.h>

enum { HQ = 8, HK = 2, L = 100, D = 64 };

int main(void) {
  float *q = calloc(HQ * L * D, sizeof(float));
  float *v = calloc(HK * L * D, sizeof(float));
  float *field = calloc(HK * L, sizeof(float));
  for (int i = 0; i < HK * L * D; ++i)
    v[i] = (float)(i / D % L);

  fpa_4d_f32 query = {q, q, 0, {1, HQ, L, D}, {HQ * L * D, L * D, D, 1}};
  fpa_4d_f32 value = {v, v, 0, {1, HK, L, D}, {HK * L * D, L * D, D, 1}};
  fpa_3d_f32 phi = {field, field, 0, {1, HK, L}, {HK * L, L, 1}};
  fpa_results_main results;
  _mlir_ciface_main(&results, &query, &value, &value, &phi);

  fpa_4d_f32 o = results.out0;
  printf("%lld rows: %g, %g ... %g\n", (long long)o.sizes[2], o.data[0],
         o.data[o.strides[2]], o.data[(L - 1) * o.strides[2]]);
  fpa_free(results.out0.allocated);
  fpa_free(results.out1.allocated);
  free(q);
  free(v);
  free(field);
  return 0;
}
