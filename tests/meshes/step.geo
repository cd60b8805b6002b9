// Gartling's backward-facing step: a channel of 30 x 1, the upper half of its left side is the inlet.
DefineConstant[
  h = 0.05,         // height of the cells, and their mean length over 1.5
  q = 1.003         // length of a cell over that of the one before it, at h = 0.05
];
nx = Round(20 / h);
ny = Round(0.5 / h);
r = q ^ (h / 0.05);
Point(1) = {0, -0.5, 0};
Point(2) = {0, 0, 0};
Point(3) = {0, 0.5, 0};
Point(4) = {30, -0.5, 0};
Point(5) = {30, 0, 0};
Point(6) = {30, 0.5, 0};
Line(1) = {1, 2};
Line(2) = {2, 3};
Line(3) = {1, 4};
Line(4) = {2, 5};
Line(5) = {3, 6};
Line(6) = {4, 5};
Line(7) = {5, 6};
Curve Loop(1) = {3, 6, -4, -1};
Plane Surface(1) = {1};
Curve Loop(2) = {4, 7, -5, -2};
Plane Surface(2) = {2};
Transfinite Curve{1, 2, 6, 7} = ny + 1;
Transfinite Curve{3, 4, 5} = nx + 1 Using Progression r;
Transfinite Surface{1, 2};
Recombine Surface{1, 2};
Physical Curve("inlet") = {2};
Physical Curve("outlet") = {6, 7};
Physical Curve("step") = {1};
Physical Curve("floor") = {3};
Physical Curve("roof") = {5};
Physical Surface("fluid") = {1, 2};
