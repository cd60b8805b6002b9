// Lid-driven cavity: the unit square, the lid at y = 1.
DefineConstant[
  elements = 0,     // 0: quadrilaterals; 1: triangles; 2: quadrilaterals along the walls, triangles inside
  n = 128,          // cells along a side; of triangles and mixed meshes about n * n cells in all
  stretch = 6       // widest over narrowest cell; 1: uniform
];
If ((elements != 0 && elements != 1 && elements != 2) || n < 2 || n != Floor(n) || stretch < 1)
  Error("expected elements 0, 1 or 2 (found %g), n a whole number >= 2 (%g), stretch >= 1 (%g)", elements, n, stretch);
EndIf

If (elements == 0)
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
  Transfinite Curve{1, 2, 3, 4} = n + 1 Using Bump 1 / stretch;
  Transfinite Surface{1};
  Recombine Surface{1};
  Physical Curve("lid") = {3};
  Physical Curve("walls") = {1, 2, 4};
  Physical Surface("fluid") = {1};
EndIf

If (elements == 1)
  // Sizes grow with the square of the distance from the middle: w - (w - w / stretch) (2 s - 1)^2, s = x or y.
  w = 1.52 / n * stretch ^ 0.52;
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
  Physical Curve("lid") = {3};
  Physical Curve("walls") = {1, 2, 4};
  Physical Surface("fluid") = {1};
EndIf

If (elements == 2)
  // Three by three blocks; the one in the middle, and so the inside, is of triangles.
  a = 0.1;                              // thickness of the quadrilaterals along the walls
  along = Ceil(0.5 * n);                // cells along the middle block's sides
  w = (1 - 2 * a) / along;              // their width, reached from w / stretch at the wall by steps of the ratio q
  across = Ceil(a / w);
  If (stretch > 1)
    across = Ceil(a * Log(stretch) / (w - w / stretch));
  EndIf
  q = stretch ^ (1 / across);
  x[] = {0, a, 1 - a, 1};
  For j In {0 : 3}
    For i In {0 : 3}
      Point(1 + i + 4 * j) = {x[i], x[j], 0};
    EndFor
  EndFor
  For j In {0 : 3}
    For i In {0 : 2}
      Line(1 + i + 3 * j) = {1 + i + 4 * j, 2 + i + 4 * j};                     // along x
      Line(13 + i + 3 * j) = {1 + j + 4 * i, 5 + j + 4 * i};                    // along y
    EndFor
    Transfinite Curve{1 + 3 * j, 13 + 3 * j} = across + 1 Using Progression q;
    Transfinite Curve{2 + 3 * j, 14 + 3 * j} = along + 1;
    Transfinite Curve{3 + 3 * j, 15 + 3 * j} = across + 1 Using Progression 1 / q;
  EndFor
  For j In {0 : 2}
    For i In {0 : 2}
      s = 1 + i + 3 * j;
      Curve Loop(s) = {1 + i + 3 * j, 13 + j + 3 * (i + 1), -(4 + i + 3 * j), -(13 + j + 3 * i)};
      Plane Surface(s) = {s};
      If (s != 5)
        Transfinite Surface{s};
        Recombine Surface{s};
      EndIf
    EndFor
  EndFor
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 5;
  Physical Curve("lid") = {10, 11, 12};
  Physical Curve("walls") = {1, 2, 3, 13, 14, 15, 22, 23, 24};
  Physical Surface("fluid") = {1 : 9};
EndIf
