// The unit square.
DefineConstant[
  elements = 0,     // 0: squares; 1: triangles
  h = 0.015625      // width of the squares; edge of the triangles
];
If ((elements != 0 && elements != 1) || h <= 0 || h > 0.25)
  Error("expected elements 0 or 1 (found %g), h in (0, 0.25] (%g)", elements, h);
EndIf
n = Round(1 / h);

Point(1) = {0, 0, 0};
Point(2) = {1, 0, 0};
Point(3) = {1, 1, 0};
Point(4) = {0, 1, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1 : 4} = n + 1;
If (elements == 0)
  Transfinite Surface{1};
  Recombine Surface{1};
Else
  Mesh.MeshSizeMin = 1 / n;
  Mesh.MeshSizeMax = 1 / n;
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 5;
EndIf
Physical Curve("walls") = {1 : 4};
Physical Surface("fluid") = {1};
