// Layers in y, low, mid and high, of a 2-D mesh, or with nz > 0 of a 3-D one; tri: 0 quadrilaterals, 1 triangles in
// rows, 2 Gmsh's triangles, 3 Gmsh's quadrilaterals; tets = 1: tetrahedra.
DefineConstant[ L = 1, hs = 0.5, hf = 1, ht = 0.5, D = 1, nx = 10, ns = 5, nf = 10, nt = 5, nz = 0, tri = 0,
                tets = 0, shear = 0, grade = 1, algorithm = 6 ];
Mesh.Algorithm = algorithm;
Point(1) = {0, -hs, 0}; Point(2) = {L, -hs, 0};
Point(3) = {shear*hs, 0, 0}; Point(4) = {L + shear*hs, 0, 0};
Point(5) = {shear*(hs+hf), hf, 0}; Point(6) = {L + shear*(hs+hf), hf, 0};
Point(7) = {shear*(hs+hf+ht), hf+ht, 0}; Point(8) = {L + shear*(hs+hf+ht), hf+ht, 0};
Line(1) = {1, 2}; Line(2) = {3, 4}; Line(3) = {5, 6}; Line(4) = {7, 8};
Line(11) = {1, 3}; Line(12) = {2, 4}; Line(13) = {3, 5}; Line(14) = {4, 6}; Line(15) = {5, 7}; Line(16) = {6, 8};
Curve Loop(1) = {1, 12, -2, -11}; Plane Surface(1) = {1};
Curve Loop(2) = {2, 14, -3, -13}; Plane Surface(2) = {2};
Curve Loop(3) = {3, 16, -4, -15}; Plane Surface(3) = {3};
Transfinite Curve{1:4} = nx + 1 Using Progression grade;
Transfinite Curve{11, 12} = ns + 1; Transfinite Curve{13, 14} = nf + 1; Transfinite Curve{15, 16} = nt + 1;
If (tri < 2)
  Transfinite Surface{1:3};
EndIf
If (tri == 0 || tri == 3)
  Recombine Surface{1:3};
EndIf
If (nz == 0)
  Physical Surface("low") = {1}; Physical Surface("mid") = {2}; Physical Surface("high") = {3};
  Physical Curve("bottom") = {1}; Physical Curve("top") = {4};
  Physical Curve("left_low") = {11}; Physical Curve("right_low") = {12};
  Physical Curve("left") = {13}; Physical Curve("right") = {14};
  Physical Curve("left_high") = {15}; Physical Curve("right_high") = {16};
Else
  If (tets == 0)
    a[] = Extrude {0, 0, D} { Surface{1}; Layers{nz}; Recombine; };
    b[] = Extrude {0, 0, D} { Surface{2}; Layers{nz}; Recombine; };
    c[] = Extrude {0, 0, D} { Surface{3}; Layers{nz}; Recombine; };
  Else
    a[] = Extrude {0, 0, D} { Surface{1}; Layers{nz}; };
    b[] = Extrude {0, 0, D} { Surface{2}; Layers{nz}; };
    c[] = Extrude {0, 0, D} { Surface{3}; Layers{nz}; };
  EndIf
  Physical Volume("low") = {a[1]}; Physical Volume("mid") = {b[1]}; Physical Volume("high") = {c[1]};
  Physical Surface("bottom") = {a[2]}; Physical Surface("top") = {c[4]};
  Physical Surface("left_low") = {a[5]}; Physical Surface("right_low") = {a[3]};
  Physical Surface("left") = {b[5]}; Physical Surface("right") = {b[3]};
  Physical Surface("left_high") = {c[5]}; Physical Surface("right_high") = {c[3]};
  Physical Surface("back") = {1, 2, 3}; Physical Surface("front") = {a[0], b[0], c[0]};
EndIf
