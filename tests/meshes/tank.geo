// A box of height 1.5 in triangles or tetrahedra, for a drop that falls.
DefineConstant[
  dim = 3,          // 2: a rectangle
  h = 0.1           // size of the cells
];
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
If (dim == 2)
  SetFactory("OpenCASCADE");
  Rectangle(1) = {0, 0, 0, 1, 1.5};
  Physical Curve("walls") = {1 : 4};
  Physical Surface("fluid") = {1};
Else
  SetFactory("OpenCASCADE");
  Box(1) = {0, 0, 0, 1, 1, 1.5};
  Physical Surface("walls") = {1 : 6};
  Physical Volume("fluid") = {1};
EndIf
