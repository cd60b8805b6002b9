// A channel of height 1 in quadrilaterals, sheared in the middle, between two blocks that have one upright end.
DefineConstant[
  n = 16,           // cells across
  angle = 45        // degrees
];
t = Tan(angle * Pi / 180);
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {3, 0, 0};
Point(4) = {4 + t, 0, 0};
Point(5) = {4 + t, 1, 0};
Point(6) = {3 + t, 1, 0};
Point(7) = {1 + t, 1, 0};
Point(8) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 5};
Line(5) = {6, 5};
Line(6) = {7, 6};
Line(7) = {8, 7};
Line(8) = {1, 8};
Line(9) = {2, 7};
Line(10) = {3, 6};
Curve Loop(1) = {1, 9, -7, -8};
Plane Surface(1) = {1};
Curve Loop(2) = {2, 10, -6, -9};
Plane Surface(2) = {2};
Curve Loop(3) = {3, 4, -5, -10};
Plane Surface(3) = {3};
Transfinite Curve{4, 8, 9, 10} = n + 1;
Transfinite Curve{1, 7, 3, 5} = Round(1.5 * n) + 1;
Transfinite Curve{2, 6} = 2 * n + 1;
Transfinite Surface{1, 2, 3};
Recombine Surface{1, 2, 3};
Physical Curve("inlet") = {8};
Physical Curve("outlet") = {4};
Physical Curve("walls") = {1, 2, 3, 5, 6, 7};
Physical Surface("fluid") = {1, 2, 3};
