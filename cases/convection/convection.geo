// The unit square, hot at the left, cold at the right; cells finer towards the walls.
DefineConstant[
  elements = 0,     // 0: quadrilaterals; 1: triangles
  n = 80,           // cells along a side; of triangles about n * n cells in all
  stretch = 6       // widest over narrowest cell; 1: uniform
];
If ((elements != 0 && elements != 1) || n < 2 || n != Floor(n) || stretch < 1)
  Error("expected elements 0 or 1 (found %g), n a whole number >= 2 (%g), stretch >= 1 (%g)", elements, n, stretch);
EndIf
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
If (elements == 0)
  Transfinite Curve{1, 2, 3, 4} = n + 1 Using Bump 1 / stretch;
  Transfinite Surface{1};
  Recombine Surface{1};
EndIf
If (elements == 1)
  // Sizes grow with the square of the distance from the middle: w - (w - w / stretch) (2 s - 1)^2, s = x or y.
  w = 1.52 / n * stretch ^ 0.52;
  Field[1] = MathEval;
  Field[1].F = Sprintf("%g - %g * (2 * x - 1)^2", w, w - w / stretch);
  Field[2] = MathEval;
  Field[2].F = Sprintf("%g - %g * (2 * y - 1)^2", w, w - w / stretch);
  Field[3] = Min;
  Field[3].FieldsList = {1, 2};
  Background Field = 3;
  Mesh.MeshSizeExtendFromBoundary = 0;
  Mesh.MeshSizeFromPoints = 0;
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 5;
EndIf
Physical Curve("hot") = {4};
Physical Curve("cold") = {2};
Physical Curve("insulated") = {1, 3};
Physical Surface("fluid") = {1};
