// Water above a plate, each a unit square of n^2 cells.
DefineConstant[ n = 8 ];
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 1, 0};
Point(5) = {1, 2, 0}; Point(6) = {0, 2, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1}; Line(5) = {3, 5};
Line(6) = {5, 6}; Line(7) = {6, 4};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Curve Loop(2) = {-3, 5, 6, 7}; Plane Surface(2) = {2};
Transfinite Curve{:} = n + 1; Transfinite Surface{:}; Recombine Surface{:};
Physical Surface("plate") = {1}; Physical Surface("water") = {2};
Physical Curve("bottom") = {1}; Physical Curve("sides") = {2, 4, 5, 7}; Physical Curve("lid") = {6};
