// Half of an annulus between the radii 1 and 2, flow from the right end to the left one.
DefineConstant[
  n = 16,           // cells across
  elements = 0      // 0: quadrilaterals; 1: triangles
];
Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {2, 0, 0};
Point(4) = {0, 2, 0};
Point(5) = {0, 1, 0};
Point(6) = {-1, 0, 0};
Point(7) = {-2, 0, 0};
Circle(1) = {2, 1, 5};
Circle(2) = {5, 1, 6};
Circle(3) = {3, 1, 4};
Circle(4) = {4, 1, 7};
Line(5) = {2, 3};
Line(6) = {5, 4};
Line(7) = {6, 7};
Curve Loop(1) = {5, 3, -6, -1};
Plane Surface(1) = {1};
Curve Loop(2) = {6, 4, -7, -2};
Plane Surface(2) = {2};
Transfinite Curve{5, 6, 7} = n + 1;
Transfinite Curve{1 : 4} = Round(2.3 * n) + 1;
Transfinite Surface{1, 2};
If (elements == 0)
  Recombine Surface{1, 2};
EndIf
Physical Curve("inlet") = {5};
Physical Curve("outlet") = {7};
Physical Curve("inner") = {1, 2};
Physical Curve("outer") = {3, 4};
Physical Surface("fluid") = {1, 2};
