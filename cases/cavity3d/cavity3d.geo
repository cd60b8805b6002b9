// Lid-driven cavity in 3-D: the unit cube, the lid at y = 1.
DefineConstant[
  elements = 0,     // 0: hexahedra; 1: tetrahedra
  n = 48,           // cells along an edge; of tetrahedra about n ^ 3 in all
  stretch = 4       // widest over narrowest cell; 1: uniform
];
If ((elements != 0 && elements != 1) || n < 2 || n != Floor(n) || stretch < 1)
  Error("expected elements 0 or 1 (found %g), n a whole number >= 2 (%g), stretch >= 1 (%g)", elements, n, stretch);
EndIf

SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};

If (elements == 0)
  Transfinite Curve{:} = n + 1 Using Bump 1 / stretch;
  Transfinite Surface{:};
  Recombine Surface{:};
  Transfinite Volume{1};
Else
  // Sizes grow with the square of the distance from the middle: w - (w - w / stretch) (2 s - 1)^2, s = x, y or z.
  w = 1.9 / n * stretch ^ 0.6;
  For k In {1 : 3}
    Field[k] = MathEval;
  EndFor
  Field[1].F = Sprintf("%g - %g * (2 * x - 1)^2", w, w - w / stretch);
  Field[2].F = Sprintf("%g - %g * (2 * y - 1)^2", w, w - w / stretch);
  Field[3].F = Sprintf("%g - %g * (2 * z - 1)^2", w, w - w / stretch);
  Field[4] = Min;
  Field[4].FieldsList = {1, 2, 3};
  Background Field = 4;
  Mesh.MeshSizeExtendFromBoundary = 0;
  Mesh.MeshSizeFromPoints = 0;
  Mesh.OptimizeThreshold = 0.7;         // fewer flat tetrahedra
EndIf

Physical Surface("lid") = {4};
Physical Surface("walls") = {1, 2, 3, 5, 6};
Physical Volume("fluid") = {1};
