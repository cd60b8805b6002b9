// A period of a plane channel: length 1, height 1, periodic from left to right.
DefineConstant[
  elements = 0,     // 0: quadrilaterals; 1: triangles
  n = 32,           // cells across the channel
  length = 1
];
If ((elements != 0 && elements != 1) || n < 2 || n != Floor(n) || length <= 0)
  Error("expected elements 0 or 1 (found %g), n a whole number >= 2 (%g), length > 0 (%g)", elements, n, length);
EndIf

Point(1) = {0, 0, 0, 1 / n};
Point(2) = {length, 0, 0, 1 / n};
Point(3) = {length, 1, 0, 1 / n};
Point(4) = {0, 1, 0, 1 / n};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
If (elements == 0)
  Transfinite Curve{1, 3} = Ceil(length * n) + 1;
  Transfinite Curve{2, 4} = n + 1;
  Transfinite Surface{1};
  Recombine Surface{1};
Else
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
EndIf

Periodic Curve {2} = {-4} Translate {length, 0, 0};

Physical Curve("left") = {4};
Physical Curve("right") = {2};
Physical Curve("walls") = {1, 3};
Physical Surface("fluid") = {1};
