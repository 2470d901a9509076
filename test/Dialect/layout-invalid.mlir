// RUN: fpa-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected dimension 1 of the layout as "r l0 w0 x1", got "r l5 x2"}}
func.func private @bit() attributes {l = #fpa.layout<["l0 x1", "r l5 x2"]>}

// -----

// expected-error @below {{expected dimension 0 of the layout as "r l0 w0 x1", got "r l0"}}
func.func private @count() attributes {l = #fpa.layout<["r l0"]>}

// -----

// expected-error @below {{expected every lane and warp bit at most once in the layout, got it twice in dimension 1, "l1 l0 x1"}}
func.func private @twice() attributes {l = #fpa.layout<["r l0 x1", "l1 l0 x1"]>}
