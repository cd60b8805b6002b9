// The space between two circles, in 2-D.
DefineConstant[ ri = 0.5, ro = 1, nr = 4, na = 4, tri = 0 ];
Point(1) = {0, 0, 0};
For k In {0:3}
  Point(2 + k) = {ri*Cos(k*Pi/2), ri*Sin(k*Pi/2), 0}; Point(6 + k) = {ro*Cos(k*Pi/2), ro*Sin(k*Pi/2), 0};
EndFor
For k In {0:3}
  Circle(1 + k) = {2 + k, 1, 2 + (k + 1)%4}; Circle(5 + k) = {6 + k, 1, 6 + (k + 1)%4}; Line(9 + k) = {2 + k, 6 + k};
EndFor
For k In {0:3}
  Curve Loop(1 + k) = {9 + k, 5 + k, -(9 + (k + 1)%4), -(1 + k)}; Plane Surface(1 + k) = {1 + k};
EndFor
Transfinite Curve{1:8} = na + 1; Transfinite Curve{9:12} = nr + 1;
Transfinite Surface{1:4};
If (tri == 0)
  Recombine Surface{1:4};
EndIf
Physical Surface("fluid") = {1:4};
Physical Curve("inner") = {1:4}; Physical Curve("outer") = {5:8};
