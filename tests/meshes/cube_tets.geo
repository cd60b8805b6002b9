// The unit cube in tetrahedra as Gmsh makes them, nothing asked for: lid at z = 1.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.15,         // size of the tetrahedra
  algorithm = 1,    // 1: Delaunay; 10: HXT; 4: Frontal, where Gmsh has Netgen
  optimize = 1,     // 0: not even as Gmsh does when nothing is asked for
  netgen = 0        // 1: optimised by Netgen, where Gmsh has it
];
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
Mesh.Algorithm3D = algorithm;
Mesh.Optimize = optimize;
Mesh.OptimizeNetgen = netgen;
Physical Surface("lid") = Surface In BoundingBox{-1, -1, 0.999, 2, 2, 2};
Physical Surface("walls") = {1, 2, 3, 4, 5};
Physical Volume("fluid") = {1};
