// A pipe of diameter 1 along x, from -2 to 5, that narrows to 0.6 over a length of 1, in tetrahedra as Gmsh makes them.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.12          // size of the cells
];
Cylinder(1) = {-2, 0, 0, 1.5, 0, 0, 0.5};
Cone(2) = {-0.5, 0, 0, 0.4, 0, 0, 0.5, 0.3};
Cylinder(3) = {-0.1, 0, 0, 0.2, 0, 0, 0.3};
Cone(4) = {0.1, 0, 0, 0.4, 0, 0, 0.3, 0.5};
Cylinder(5) = {0.5, 0, 0, 4.5, 0, 0, 0.5};
BooleanUnion(6) = { Volume{1}; Delete; } { Volume{2 : 5}; Delete; };
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
e = 1e-3;
inlet() = Surface In BoundingBox{-2 - e, -1, -1, -2 + e, 1, 1};
outlet() = Surface In BoundingBox{5 - e, -1, -1, 5 + e, 1, 1};
wall() = Surface{:};
wall() -= {inlet(), outlet()};
Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("wall") = {wall()};
Physical Volume("fluid") = Volume{:};
