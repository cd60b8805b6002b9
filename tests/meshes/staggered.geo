// A channel of 8 x 2 with seven cylinders of diameter 0.4 in staggered rows, in triangles as Gmsh makes them.
SetFactory("OpenCASCADE");
DefineConstant[
  h = 0.05          // size of the cells at the cylinders; twice that elsewhere
];
Rectangle(1) = {0, 0, 0, 8, 2};
k = 0;
For i In {0 : 2}
  For j In {0 : 2}
    If (i % 2 == 0 || j < 2)
      Disk(10 + k) = {1.5 + 0.8 * i, (i % 2 == 0) ? 0.3 + 0.7 * j : 0.65 + 0.7 * j, 0, 0.2};
      k = k + 1;
    EndIf
  EndFor
EndFor
BooleanDifference(2) = { Surface{1}; Delete; } { Surface{10 : 9 + k}; Delete; };
e = 1e-6;
inlet() = Curve In BoundingBox{-e, -e, -e, e, 2 + e, e};
outlet() = Curve In BoundingBox{8 - e, -e, -e, 8 + e, 2 + e, e};
floor() = Curve In BoundingBox{-e, -e, -e, 8 + e, e, e};
roof() = Curve In BoundingBox{-e, 2 - e, -e, 8 + e, 2 + e, e};
cylinders() = Curve{:};
cylinders() -= {inlet(), outlet(), floor(), roof()};
MeshSize{PointsOf{Surface{2};}} = 2 * h;
MeshSize{PointsOf{Curve{cylinders()};}} = h;
Physical Curve("inlet") = {inlet()};
Physical Curve("outlet") = {outlet()};
Physical Curve("walls") = {floor(), roof()};
Physical Curve("cylinders") = {cylinders()};
Physical Surface("fluid") = {2};
