// A box from the origin in triangles or tetrahedra as Gmsh makes them, with the names of the program's own box.
DefineConstant[
  dim = 2,          // 3: a box of tetrahedra
  h = 0.05,         // size of the cells
  lx = 1, ly = 1, lz = 1,
  px = 0, py = 0, pz = 0    // 1: left and right are alike, bottom and top, back and front, for periodic boundaries
];
Mesh.MeshSizeMin = h;
Mesh.MeshSizeMax = h;
SetFactory("OpenCASCADE");
If (dim == 2)
  Rectangle(1) = {0, 0, 0, lx, ly};
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 5;
  If (px)
    Periodic Curve {2} = {4} Translate {lx, 0, 0};
  EndIf
  If (py)
    Periodic Curve {3} = {1} Translate {0, ly, 0};
  EndIf
  Physical Curve("left") = {4};
  Physical Curve("right") = {2};
  Physical Curve("bottom") = {1};
  Physical Curve("top") = {3};
  Physical Surface("fluid") = {1};
Else
  Box(1) = {0, 0, 0, lx, ly, lz};
  If (px)
    Periodic Surface {2} = {1} Translate {lx, 0, 0};
  EndIf
  If (py)
    Periodic Surface {4} = {3} Translate {0, ly, 0};
  EndIf
  If (pz)
    Periodic Surface {6} = {5} Translate {0, 0, lz};
  EndIf
  Physical Surface("left") = {1};
  Physical Surface("right") = {2};
  Physical Surface("bottom") = {3};
  Physical Surface("top") = {4};
  Physical Surface("back") = {5};
  Physical Surface("front") = {6};
  Physical Volume("fluid") = {1};
EndIf
