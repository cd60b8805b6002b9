// The unit square or cube, cells growing by a ratio from every side to the middle: lid at y = 1.
DefineConstant[
  n = 16,           // cells from a side to the middle
  q = 1.3,          // width of a cell over that of the one before it
  dim = 2
];
Point(1) = {0, 0, 0};
Point(2) = {0.5, 0, 0};
Point(3) = {1, 0, 0};
Point(4) = {0, 0.5, 0};
Point(5) = {0.5, 0.5, 0};
Point(6) = {1, 0.5, 0};
Point(7) = {0, 1, 0};
Point(8) = {0.5, 1, 0};
Point(9) = {1, 1, 0};
// Along x 1.., along y 11..: from the sides to the middle.
For j In {0 : 2}
  Line(1 + 2 * j) = {1 + 3 * j, 2 + 3 * j};
  Line(2 + 2 * j) = {3 + 3 * j, 2 + 3 * j};
  Line(11 + 2 * j) = {1 + j, 4 + j};
  Line(12 + 2 * j) = {7 + j, 4 + j};
EndFor
Curve Loop(1) = {1, 13, -3, -11};
Curve Loop(2) = {-2, 15, 4, -13};
Curve Loop(3) = {3, -14, -5, 12};
Curve Loop(4) = {-4, -16, 6, 14};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Plane Surface(4) = {4};
Transfinite Curve{1 : 6, 11 : 16} = n + 1 Using Progression q;
Transfinite Surface{1 : 4};
Recombine Surface{1 : 4};
If (dim == 2)
  Physical Curve("lid") = {5, 6};
  Physical Curve("walls") = {1, 2, 11, 12, 15, 16};
  Physical Surface("fluid") = {1 : 4};
Else
  Extrude {0, 0, 1} { Surface{1 : 4}; Layers{2 * n}; Recombine; }
  e = 1e-6;
  Physical Surface("lid") = Surface In BoundingBox{-e, 1 - e, -e, 1 + e, 1 + e, 1 + e};
  Physical Surface("walls") = {
    Surface In BoundingBox{-e, -e, -e, 1 + e, e, 1 + e},
    Surface In BoundingBox{-e, -e, -e, e, 1 + e, 1 + e}, Surface In BoundingBox{1 - e, -e, -e, 1 + e, 1 + e, 1 + e},
    Surface In BoundingBox{-e, -e, -e, 1 + e, 1 + e, e}, Surface In BoundingBox{-e, -e, 1 - e, 1 + e, 1 + e, 1 + e}};
  Physical Volume("fluid") = {1 : 4};
EndIf
