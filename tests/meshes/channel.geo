// A channel along x, of length 1 and height 1, in triangles or tetrahedra as Gmsh makes them.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.1,          // size of the cells
  deep = 0          // 1: in 3-D, half as deep as it is high
];
If (deep)
  Box(1) = {0, 0, 0, 1, 1, 0.5};
Else
  Rectangle(1) = {0, 0, 0, 1, 1};
EndIf
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
If (deep)
  Physical Surface("left") = {1};
  Physical Surface("right") = {2};
  Physical Surface("walls") = {3, 4};
  Physical Surface("sides") = {5, 6};
  Physical Volume("fluid") = {1};
Else
  Physical Curve("walls") = {1, 3};
  Physical Curve("right") = {2};
  Physical Curve("left") = {4};
  Physical Surface("fluid") = {1};
EndIf
