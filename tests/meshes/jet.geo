// A rectangle with a nozzle in the middle of its upper side.
DefineConstant[
  elements = 1,     // 0: squares; 1: triangles
  h = 0.0025        // size of the cells
];
x[] = {-0.03, -0.005, 0.005, 0.03};
For k In {0 : 3}
  Point(1 + k) = {x[k], 0, 0};
  Point(11 + k) = {x[k], 0.1, 0};
  Line(21 + k) = {1 + k, 11 + k};
  Transfinite Curve{21 + k} = Round(0.1 / h) + 1;
EndFor
For k In {0 : 2}
  Line(31 + k) = {1 + k, 2 + k};
  Line(41 + k) = {11 + k, 12 + k};
  Transfinite Curve{31 + k, 41 + k} = Round((x[k + 1] - x[k]) / h) + 1;
  Curve Loop(1 + k) = {31 + k, 22 + k, -(41 + k), -(21 + k)};
  Plane Surface(1 + k) = {1 + k};
EndFor
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm = 6;
Mesh.Smoothing = 5;
If (elements == 0)
  Transfinite Surface{1 : 3};
  Recombine Surface{1 : 3};
EndIf
Physical Curve("left") = {21};
Physical Curve("right") = {24};
Physical Curve("bottom") = {31 : 33};
Physical Curve("top") = {41, 43};
Physical Curve("inlet") = {42};
Physical Surface("fluid") = {1 : 3};
