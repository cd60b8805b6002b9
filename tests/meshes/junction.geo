// A pipe of diameter 1 along x, from -1.5 to 1.5, and one of diameter 0.8 that leaves it along y, to 1.5.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.15,         // size of the cells
  layers = 0        // 1: the ends of the three legs swept, in prisms
];
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Cylinder(1) = {-1, 0, 0, 2, 0, 0, 0.5};
Cylinder(2) = {0, 0, 0, 0, 1, 0, 0.4};
BooleanUnion(3) = { Volume{1}; Delete; } { Volume{2}; Delete; };
in() = Surface In BoundingBox{-1.01, -1, -1, -0.99, 1, 1};
out() = Surface In BoundingBox{0.99, -1, -1, 1.01, 1, 1};
side() = Surface In BoundingBox{-1, 0.99, -1, 1, 1.01, 1};
If (layers)
  n = Ceil(0.5 / h);
  Extrude {-0.5, 0, 0} { Surface{in()}; Layers{n}; Recombine; }
  Extrude {0.5, 0, 0} { Surface{out()}; Layers{n}; Recombine; }
  Extrude {0, 0.5, 0} { Surface{side()}; Layers{n}; Recombine; }
  inner() = {in(), out(), side()};
  in() = Surface In BoundingBox{-1.51, -1, -1, -1.49, 1, 1};
  out() = Surface In BoundingBox{1.49, -1, -1, 1.51, 1, 1};
  side() = Surface In BoundingBox{-1, 1.49, -1, 1, 1.51, 1};
Else
  inner() = {};
EndIf
walls() = Surface{:};
walls() -= {in(), out(), side(), inner()};
Physical Surface("inlet") = {in()};
Physical Surface("outlet") = {out()};
Physical Surface("branch") = {side()};
Physical Surface("wall") = {walls()};
Physical Volume("fluid") = Volume{:};
