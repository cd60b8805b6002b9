// A pipe of diameter 1 that turns by 90 degrees, radius of the bend 1.5, a straight leg of length 1 before and after it.
DefineConstant[
  h = 0.15,         // size of the cells
  elements = 0,     // 0: tetrahedra; 1: the legs swept, in prisms; 2: a layer of prisms on the wall; 3: all swept
  thickness = 0.08  // of the layer of prisms
];
swept = elements == 1 || elements == 3;
radius = elements == 2 ? 0.5 - thickness : 0.5;
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Point(1) = {0, 0, 0};
Point(2) = {radius, 0, 0};
Point(3) = {0, radius, 0};
Point(4) = {-radius, 0, 0};
Point(5) = {0, -radius, 0};
Circle(1) = {2, 1, 3};
Circle(2) = {3, 1, 4};
Circle(3) = {4, 1, 5};
Circle(4) = {5, 1, 2};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};

// Each part: its end, its volume, four pieces of the wall.
If (swept)
  a[] = Extrude {0, 0, 1} { Surface{1}; Layers{Ceil(1 / h)}; Recombine; };
Else
  a[] = Extrude {0, 0, 1} { Surface{1}; };
EndIf
If (elements == 3)
  b[] = Extrude { {0, 1, 0}, {1.5, 0, 1}, Pi / 2 } { Surface{a[0]}; Layers{Ceil(1.5 * Pi / 2 / h)}; Recombine; };
Else
  b[] = Extrude { {0, 1, 0}, {1.5, 0, 1}, Pi / 2 } { Surface{a[0]}; };
EndIf
If (swept)
  c[] = Extrude {1, 0, 0} { Surface{b[0]}; Layers{Ceil(1 / h)}; Recombine; };
Else
  c[] = Extrude {1, 0, 0} { Surface{b[0]}; };
EndIf
wall[] = {a[{2 : 5}], b[{2 : 5}], c[{2 : 5}]};
inlet[] = {1};
outlet[] = {c[0]};
fluid[] = {a[1], b[1], c[1]};

If (elements == 2)
  // Outwards, along the wall's normals: of each piece the new wall, the volume and four sides.
  out[] = Extrude { Surface{wall[]}; Layers{ {1, 1, 1}, {0.4 * thickness, 0.75 * thickness, thickness} }; Recombine; Using Index[0]; };
  wall[] = {};
  For k In {0 : 11}
    wall[] += {out[6 * k]};
    fluid[] += {out[6 * k + 1]};
  EndFor
  For k In {0 : 3}
    inlet[] += {out[6 * k + 2]};
    outlet[] += {out[6 * (k + 8) + 4]};
  EndFor
EndIf
Physical Surface("wall") = {wall[]};
Physical Surface("inlet") = {inlet[]};
Physical Surface("outlet") = {outlet[]};
Physical Volume("fluid") = {fluid[]};
