#!/bin/sh
# Machine code as nvdisasm prints it: two loops with products, of which the last,
# of five instructions, is the main one, and a longer loop without.
cat <<'END'
.text.main_1:
.L_x_1:
        /*0000*/                   HMMA.16816.F32 R4, R8, R12, R4 ;
        /*0010*/                   FADD R4, R4, R4 ;
        /*0020*/                   FMNMX R4, R4, R4, !PT ;
        /*0030*/                   IADD3 R1, R1, 0x1, RZ ;
        /*0040*/                   FADD R4, R4, R4 ;
        /*0050*/              @!P0 BRA `(.L_x_1) ;
.L_x_2:
        /*0060*/               @P1 BRA `(.L_x_3) ;
        /*0070*/                   HMMA.16816.F32 R4, R8, R12, R4 ;
        /*0080*/                   FADD R4, R4, R4 ;
.L_x_3:
        /*0090*/                   IADD3 R1, R1, 0x1, RZ ;
        /*00a0*/              @!P0 BRA `(.L_x_2) ;
.L_x_4:
        /*00b0*/                   IADD3 R1, R1, 0x1, RZ ;
        /*00c0*/              @!P0 BRA `(.L_x_4) ;
        /*00d0*/                   EXIT ;
END
