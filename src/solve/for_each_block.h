/* for_each_block.h: includes BODY, a file of kernel bodies, once for each size of blocks from 2 to 5: N is the size,
 * OF(name) is name_2 .. name_5, BLOCK_WARP_KERNEL(OF(name), args) and similar macros begin a kernel.  Then again for
 * arrow blocks of 3 and 4 rows (matrix.h), with ARROW = 1, where OF(name) is name_3_arrow and name_4_arrow. */
#include "gpu/kernel.h"
#define BLOCK_INDEX_KERNEL(name, args) INDEX_KERNEL(name, args)         /* OF() is expanded first */
#define BLOCK_WARP_KERNEL(name, args) WARP_KERNEL(name, args)
#define BLOCK_SLICE_KERNEL(name, args) SLICE_KERNEL(name, args)
#define ARROW 0
#define N 2
#define OF(name) name##_2
#include BODY
#undef N
#undef OF
#define N 3
#define OF(name) name##_3
#include BODY
#undef N
#undef OF
#define N 4
#define OF(name) name##_4
#include BODY
#undef N
#undef OF
#define N 5
#define OF(name) name##_5
#include BODY
#undef N
#undef OF
#undef ARROW
#define ARROW 1
#define N 3
#define OF(name) name##_3_arrow
#include BODY
#undef N
#undef OF
#define N 4
#define OF(name) name##_4_arrow
#include BODY
#undef N
#undef OF
