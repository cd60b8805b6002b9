// Hexahedra below z = 0.5, tetrahedra above, pyramids between them: lid at z = 1.
DefineConstant[
  n = 8,            // hexahedra along an edge
  h = 0.125         // size of the tetrahedra
];
Point(1) = {0, 0, 0, h};
Point(2) = {1, 0, 0, h};
Point(3) = {1, 1, 0, h};
Point(4) = {0, 1, 0, h};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4};
Plane Surface(1) = {1};
Transfinite Curve{1 : 4} = n + 1;
Transfinite Surface{1};
Recombine Surface{1};
a[] = Extrude {0, 0, 0.5} { Surface{1}; Layers{n / 2}; Recombine; };
b[] = Extrude {0, 0, 0.5} { Surface{a[0]}; };
Physical Surface("lid") = {b[0]};
Physical Surface("walls") = {1, a[{2 : 5}], b[{2 : 5}]};
Physical Volume("fluid") = {a[1], b[1]};
