// Flow along a plate of length 1 and thickness 0.1, with a free stream of length 0.5 in front of it.
DefineConstant[n = 40];         // cells along the front and, with those above, across the boundary layer
DefineConstant[b = 0.1];        // thickness of the plate
h = 1.5; front = 0.5;
Point(1) = {-front, 0, 0}; Point(2) = {0, 0, 0}; Point(3) = {1, 0, 0};
Point(4) = {-front, h, 0}; Point(5) = {0, h, 0}; Point(6) = {1, h, 0};
Point(7) = {0, -b, 0}; Point(8) = {1, -b, 0};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {4, 5}; Line(4) = {5, 6};
Line(5) = {1, 4}; Line(6) = {2, 5}; Line(7) = {3, 6};
Line(8) = {7, 8}; Line(9) = {7, 2}; Line(10) = {8, 3};
Curve Loop(1) = {1, 6, -3, -5}; Plane Surface(1) = {1};
Curve Loop(2) = {2, 7, -4, -6}; Plane Surface(2) = {2};
Curve Loop(3) = {8, 10, -2, -9}; Plane Surface(3) = {3};
Transfinite Curve{1, 3} = n / 2 + 1 Using Progression 0.9;
Transfinite Curve{2, 4, 8} = 2 * n + 1 Using Progression 1.03;
Transfinite Curve{5, 6, 7} = 1.5 * n + 1 Using Progression 1.1;
Transfinite Curve{9, 10} = n / 4 + 1;
Transfinite Surface{1, 2, 3}; Recombine Surface{1, 2, 3};
Physical Surface("fluid") = {1, 2};
Physical Surface("plate") = {3};
Physical Curve("inlet") = {5}; Physical Curve("outlet") = {7};
Physical Curve("front") = {1}; Physical Curve("far") = {3, 4};
Physical Curve("bottom") = {8}; Physical Curve("ends") = {9, 10};
