// A quarter of a round pipe of diameter 1 along z, in hexahedra.
DefineConstant[
  n = 6,            // cells along half a radius
  layers = 24,      // cells along the pipe
  length = 8
];
d = 0.25;           // side of the square in the middle
r = 0.5;
c = r * Sqrt(0.5);
b = 0.9 * d;
Point(1) = {0, 0, 0};
Point(2) = {d, 0, 0};
Point(3) = {b, b, 0};
Point(4) = {0, d, 0};
Point(5) = {r, 0, 0};
Point(6) = {c, c, 0};
Point(7) = {0, r, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {3, 4};
Line(4) = {4, 1};
Line(5) = {2, 5};
Line(6) = {3, 6};
Line(7) = {4, 7};
Circle(8) = {5, 1, 6};
Circle(9) = {6, 1, 7};
Curve Loop(1) = {1, 2, 3, 4};
Curve Loop(2) = {5, 8, -6, -2};
Curve Loop(3) = {6, 9, -7, -3};
Plane Surface(1) = {1};
Plane Surface(2) = {2};
Plane Surface(3) = {3};
Transfinite Curve{1, 2, 3, 4, 5, 6, 7, 8, 9} = n + 1;
Transfinite Surface{1, 2, 3};
Recombine Surface{1, 2, 3};
all[] = Extrude{0, 0, length} {
  Surface{1, 2, 3}; Layers{layers}; Recombine;
};
e = 1e-6;
Physical Surface("inlet") = {1, 2, 3};
Physical Surface("outlet") = Surface In BoundingBox{-e, -e, length - e, r + e, r + e, length + e};
Physical Surface("bottom") = Surface In BoundingBox{-e, -e, -e, r + e, e, length + e};
Physical Surface("left") = Surface In BoundingBox{-e, -e, -e, e, r + e, length + e};
Physical Surface("wall") = {all[9], all[15]};
Physical Volume("fluid") = {all[1], all[7], all[13]};
