// A unit square of n x n quadrilaterals; its lid is the upper side.
DefineConstant[ n = 8 ];
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1:4} = n + 1;
Transfinite Surface{1};
Recombine Surface{1};
Physical Curve("lid") = {3};
Physical Curve("walls") = {1, 2, 4};
Physical Surface("fluid") = {1};
