// A drop of radius 1 in the middle of a box of edges 2 L; in 3-D a quarter of it.
DefineConstant[
  dim = 2,          // 2; 3: the quarter y > 0, z > 0
  elements = 0,     // 0: squares, cubes; 1: triangles
  n = 8,            // cells along a radius
  L = 4             // half the edge, a whole number
];
If ((dim != 2 && dim != 3) || (elements != 0 && (elements != 1 || dim == 3)) || n < 2 || L < 2)
  Error("expected dim 2 or 3 (found %g), elements 0 or in 2-D 1 (%g), n >= 2 (%g), L >= 2 (%g)", dim, elements, n, L);
EndIf
low = dim == 2 ? -L : 0;

Point(1) = {-L, low, 0};
Point(2) = {L, low, 0};
Point(3) = {L, L, 0};
Point(4) = {-L, L, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1, 3} = 2 * L * n + 1;
Transfinite Curve{2, 4} = (L - low) * n + 1;
If (elements == 0)
  Transfinite Surface{1};
  Recombine Surface{1};
Else
  Mesh.MeshSizeMin = 1 / n;
  Mesh.MeshSizeMax = 1 / n;
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 5;
EndIf
If (dim == 2)
  Physical Curve("cold") = {4};
  Physical Curve("hot") = {2};
  Physical Curve("sides") = {1, 3};
  Physical Surface("fluid") = {1};
Else
  out[] = Extrude{0, 0, L} { Surface{1}; Layers{L * n}; Recombine; };
  Physical Surface("cold") = {out[5]};
  Physical Surface("hot") = {out[3]};
  Physical Surface("sides") = {1, out[0], out[2], out[4]};
  Physical Volume("fluid") = {out[1]};
EndIf
