// Two cylinders of radius 1 and 2 about the origin; the gap between them.
DefineConstant[
  elements = 0,     // 0: quadrilaterals; 1: triangles
  n = 8             // cells across the gap
];
If ((elements != 0 && elements != 1) || n < 2 || n > 1000)
  Error("expected elements 0 or 1 (found %g), n in [2, 1000] (%g)", elements, n);
EndIf

around = Ceil(0.75 * Pi * n);           // cells along a quarter: about as long as wide in the middle of the gap
Point(100) = {0, 0, 0};
For k In {0 : 3}
  a = k * Pi / 2;
  Point(1 + k) = {Cos(a), Sin(a), 0};
  Point(11 + k) = {2 * Cos(a), 2 * Sin(a), 0};
EndFor
For k In {0 : 3}
  Circle(1 + k) = {1 + k, 100, 1 + (k + 1) % 4};
  Circle(11 + k) = {11 + k, 100, 11 + (k + 1) % 4};
  Line(21 + k) = {1 + k, 11 + k};
EndFor
Transfinite Curve{1 : 4, 11 : 14} = around + 1;
If (elements == 0)
  Transfinite Curve{21 : 24} = n + 1;
  For k In {0 : 3}
    Curve Loop(1 + k) = {1 + k, 21 + (k + 1) % 4, -(11 + k), -(21 + k)};
    Plane Surface(1 + k) = {-(1 + k)};
  EndFor
  Transfinite Surface{1 : 4};
  Recombine Surface{1 : 4};
  Physical Surface("fluid") = {1 : 4};
Else
  Curve Loop(1) = {11 : 14};
  Curve Loop(2) = {1 : 4};
  Plane Surface(1) = {1, 2};
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Physical Surface("fluid") = {1};
EndIf
Physical Curve("inner") = {1 : 4};
Physical Curve("outer") = {11 : 14};
