// A rectangle, sheared, or with nz > 0 a block; tri: 0 quadrilaterals, 1 triangles in rows, 2 Gmsh's triangles,
// 3 Gmsh's quadrilaterals; solid: 0 layers in z (hexahedra or prisms), 1 those cut into tetrahedra, 2 Gmsh's
// tetrahedra, 3 a layer of hexahedra or prisms, then pyramids and tetrahedra.
DefineConstant[ L = 1, H = 1, D = 1, nx = 8, ny = 8, nz = 0, tri = 0, solid = 0, shear = 0, grade = 1, algorithm = 6 ];
Mesh.Algorithm = algorithm;
Point(1) = {0, 0, 0}; Point(2) = {L, 0, 0}; Point(3) = {L + shear*H, H, 0}; Point(4) = {shear*H, H, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {4, 3}; Line(4) = {1, 4};
Curve Loop(1) = {1, 2, -3, -4}; Plane Surface(1) = {1};
Transfinite Curve{1, 3} = nx + 1; Transfinite Curve{2, 4} = ny + 1 Using Progression grade;
If (tri < 2)
  Transfinite Surface{1};
EndIf
If (tri == 0 || tri == 3)
  Recombine Surface{1};
EndIf
If (nz == 0)
  Physical Surface("fluid") = {1};
  Physical Curve("left") = {4}; Physical Curve("right") = {2}; Physical Curve("bottom") = {1};
  Physical Curve("top") = {3};
Else
  If (solid == 0)
    a[] = Extrude {0, 0, D} { Surface{1}; Layers{nz}; Recombine; };
  EndIf
  If (solid == 1)
    a[] = Extrude {0, 0, D} { Surface{1}; Layers{nz}; };
  EndIf
  If (solid == 2)
    a[] = Extrude {0, 0, D} { Surface{1}; };
    Transfinite Curve{8, 9, 11, 13, 16, 20} = nz + 1;
  EndIf
  If (solid == 3)
    a[] = Extrude {0, 0, D/2} { Surface{1}; Layers{1}; Recombine; };
    b[] = Extrude {0, 0, D/2} { Surface{a[0]}; };
    Physical Volume("fluid") = {a[1], b[1]};
    Physical Surface("bottom") = {a[2], b[2]}; Physical Surface("right") = {a[3], b[3]};
    Physical Surface("top") = {a[4], b[4]}; Physical Surface("left") = {a[5], b[5]};
    Physical Surface("back") = {1}; Physical Surface("front") = {b[0]};
  Else
    Physical Volume("fluid") = {a[1]};
    Physical Surface("bottom") = {a[2]}; Physical Surface("right") = {a[3]};
    Physical Surface("top") = {a[4]}; Physical Surface("left") = {a[5]};
    Physical Surface("back") = {1}; Physical Surface("front") = {a[0]};
  EndIf
EndIf
