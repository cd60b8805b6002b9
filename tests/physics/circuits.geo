// Two channels one above the other that do not touch, or only their walls do (gap = 0).
DefineConstant[ L = 2, H = 1, gap = 0.5, nx = 8, ny = 5, tri = 0 ];
Point(1) = {0, 0, 0}; Point(2) = {L, 0, 0}; Point(3) = {L, H, 0}; Point(4) = {0, H, 0};
Point(5) = {0, H + gap, 0}; Point(6) = {L, H + gap, 0}; Point(7) = {L, 2*H + gap, 0}; Point(8) = {0, 2*H + gap, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {4, 3}; Line(4) = {1, 4};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {8, 7}; Line(8) = {5, 8};
Curve Loop(1) = {1, 2, -3, -4}; Plane Surface(1) = {1};
Curve Loop(2) = {5, 6, -7, -8}; Plane Surface(2) = {2};
Transfinite Curve{1, 3, 5, 7} = nx + 1; Transfinite Curve{2, 4, 6, 8} = ny + 1;
Transfinite Surface{1, 2};
If (tri == 0)
  Recombine Surface{1, 2};
EndIf
Physical Surface("one") = {1}; Physical Surface("two") = {2};
Physical Curve("left") = {4}; Physical Curve("right") = {2};
Physical Curve("left_2") = {8}; Physical Curve("right_2") = {6};
Physical Curve("bottom") = {1, 5}; Physical Curve("top") = {3, 7};
