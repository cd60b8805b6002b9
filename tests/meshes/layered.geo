// A channel along x: on its floor layers of cells of aspect `aspect`, above them tetrahedra.
DefineConstant[
  h = 0.12,         // size of the cells
  aspect = 50,      // of the flattest cells
  prisms = 1        // 0: the layers are in tetrahedra too
];
Point(1) = {0, 0, 0, h};
Point(2) = {2, 0, 0, h};
Point(3) = {2, 1, 0, h};
Point(4) = {0, 1, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
// Each layer is 1.6 times as high as the one below it; eight of them reach `high`.
q = 1.6;
sum = 0;
For k In {0 : 7}
  sum += q ^ k;
  one[] += {1};
  at[] += {sum};
EndFor
For k In {0 : 7}
  at[k] /= sum;
EndFor
high = h / aspect * sum;
If (prisms)
  a[] = Extrude {0, 0, high} { Surface{1}; Layers{one[], at[]}; Recombine; };
Else
  a[] = Extrude {0, 0, high} { Surface{1}; Layers{one[], at[]}; };
EndIf
b[] = Extrude {0, 0, 1 - high} { Surface{a[0]}; };
Physical Surface("floor") = {1};
Physical Surface("ceiling") = {b[0]};
Physical Surface("inlet") = {a[5], b[5]};
Physical Surface("outlet") = {a[3], b[3]};
Physical Surface("sides") = {a[2], a[4], b[2], b[4]};
Physical Volume("fluid") = {a[1], b[1]};
