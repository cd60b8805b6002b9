// The unit square by any of Gmsh's algorithms, finer towards the lid at y = 1.
DefineConstant[
  h = 0.05,         // size of the cells at the floor
  fine = 3,         // how much smaller they are at the lid
  // 1: MeshAdapt; 5: Delaunay; 6: Frontal; 8: Frontal for quadrilaterals, on which Gmsh 4.8 crashes; 9: parallelograms
  algorithm = 6,
  recombine = 0     // 1: triangles are joined to quadrilaterals (blossom)
];
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h};
Point(3) = {1, 1, 0, h / fine};
Point(4) = {0, 1, 0, h / fine};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Mesh.Algorithm = algorithm;
If (recombine)
  Mesh.RecombinationAlgorithm = 1;
  Recombine Surface{1};
EndIf
Physical Curve("lid") = {3};
Physical Curve("walls") = {1, 2, 4};
Physical Surface("fluid") = {1};
