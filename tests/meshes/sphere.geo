// A sphere of diameter 1 in a box, finer towards the sphere and behind it.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.1,          // size at the sphere
  coarse = 0.8      // size far away
];
Box(1) = {-2.5, -2.5, -2.5, 8, 5, 5};
Sphere(2) = {0, 0, 0, 0.5};
BooleanDifference(3) = { Volume{1}; Delete; } { Volume{2}; Delete; };
inlet() = Surface In BoundingBox{-2.51, -3, -3, -2.49, 3, 3};
outlet() = Surface In BoundingBox{5.49, -3, -3, 5.51, 3, 3};
sphere() = Surface In BoundingBox{-0.51, -0.51, -0.51, 0.51, 0.51, 0.51};
sides() = Surface{:};
sides() -= {inlet(), outlet(), sphere()};
Field[1] = Distance;
Field[1].FacesList = {sphere()};
Field[1].SurfacesList = {sphere()};
Field[2] = Threshold;
Field[2].InField = 1;
Field[2].IField = 1;
Field[2].SizeMin = h;
Field[2].SizeMax = coarse;
Field[2].DistMin = 0.1;
Field[2].DistMax = 2.5;
Background Field = 2;
Mesh.MeshSizeExtendFromBoundary = 0;
Mesh.MeshSizeFromPoints = 0;
Physical Surface("inlet") = {inlet()};
Physical Surface("outlet") = {outlet()};
Physical Surface("sides") = {sides()};
Physical Surface("sphere") = {sphere()};
Physical Volume("fluid") = {3};
