// NACA 0012, chord 1, in a box, with layers of quadrilaterals by Gmsh's own field BoundaryLayer, triangles around them.
DefineConstant[
  first = 0.004,    // height of the first layer
  ratio = 1.2,      // of a layer's height to that of the one below it
  h = 0.03,         // width along the foil
  coarse = 0.6      // far away
];
// The trailing edge is closed: 0.1036 in place of 0.1015.
n = 40;
For k In {0 : n}
  x = 0.5 * (1 + Cos(Pi * k / n));
  y = 0.6 * (0.2969 * Sqrt(x) - 0.1260 * x - 0.3516 * x ^ 2 + 0.2843 * x ^ 3 - 0.1036 * x ^ 4);
  Point(1 + k) = {x, (k == 0) ? 0 : y, 0, h};
  If (k > 0 && k < n)
    Point(1 + 2 * n - k) = {x, -y, 0, h};
  EndIf
EndFor
Spline(1) = {1 : n + 1};
Spline(2) = {n + 1 : 2 * n, 1};
Point(201) = {-5, -5, 0, coarse};
Point(202) = {10, -5, 0, coarse};
Point(203) = {10, 5, 0, coarse};
Point(204) = {-5, 5, 0, coarse};
Line(11) = {201, 202};
Line(12) = {202, 203};
Line(13) = {203, 204};
Line(14) = {204, 201};
Curve Loop(1) = {11, 12, 13, 14};
Curve Loop(2) = {1, 2};
Plane Surface(1) = {1, 2};
Field[1] = BoundaryLayer;
Field[1].EdgesList = {1, 2};
Field[1].FanNodesList = {1};
Field[1].hwall_n = first;
Field[1].ratio = ratio;
Field[1].thickness = 0.08;
Field[1].hfar = coarse;
Field[1].Quads = 1;
BoundaryLayer Field = 1;
Physical Curve("inlet") = {14};
Physical Curve("outlet") = {12};
Physical Curve("sides") = {11, 13};
Physical Curve("foil") = {1, 2};
Physical Surface("fluid") = {1};
