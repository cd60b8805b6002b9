// DFG benchmark 2D-1 (Schaefer & Turek 1996): channel 2.2 x 0.41, cylinder of radius 0.05 at (0.2, 0.2).
DefineConstant[
  elements = 0,     // 0: quadrilaterals in blocks; 1: triangles
  h = 0.0015,       // cell width along the cylinder
  first = 0.5       // of quadrilaterals: height of the first cell normal to the cylinder, over h
];
If ((elements != 0 && elements != 1) || h <= 0 || h > 0.02 || first <= 0 || first > 1)
  Error("expected elements 0 or 1 (found %g), h in (0, 0.02] (%g), first in (0, 1] (%g)", elements, h, first);
EndIf

cx = 0.2;
cy = 0.2;
radius = 0.05;
length = 2.2;
height = 0.41;

If (elements == 0)
  // A polar ring about the cylinder, then a ring out to a square with bulging sides, and a grid of 3 x 3 blocks whose
  // middle one is that square.
  ring = 0.09;                          // radius of the polar ring
  half = 0.12;                          // half the side of the square
  bulge = 25 * Pi / 180;                // angle between chord and tangent at a corner: shares out the corner's angles
  n = Ceil(0.5 * Pi * radius / h);      // cells along a quarter of the cylinder and along a side of the square
  d = 2 * half / n;                     // width at the square

  // Inner circle 1.., ring 11.., square 21.., centres of its sides' arcs 31..: k = 0, 1, 2, 3 at 45, 135, 225, 315 degrees.
  Point(100) = {cx, cy, 0};
  c = half * (1 - 1 / Tan(bulge));
  For k In {0 : 3}
    angle = (2 * k + 1) * Pi / 4;
    Point(1 + k) = {cx + radius * Cos(angle), cy + radius * Sin(angle), 0};
    Point(11 + k) = {cx + ring * Cos(angle), cy + ring * Sin(angle), 0};
    Point(21 + k) = {cx + half * Sqrt(2) * Cos(angle), cy + half * Sqrt(2) * Sin(angle), 0};
    Point(31 + k) = {cx + c * Cos(angle + Pi / 4), cy + c * Sin(angle + Pi / 4), 0};
  EndFor
  For k In {0 : 3}
    Circle(1 + k) = {1 + k, 100, 1 + (k + 1) % 4};
    Circle(11 + k) = {11 + k, 100, 11 + (k + 1) % 4};
    Circle(21 + k) = {21 + k, 31 + k, 21 + (k + 1) % 4};
    Line(31 + k) = {1 + k, 11 + k};
    Line(41 + k) = {11 + k, 21 + k};
  EndFor
  // From first * h at the cylinder to d at the square by equal steps of the ratio q; `middle` is the width at the ring.
  out = half * 1.2;                     // mean distance of the square's sides
  q = (out - radius - first * h) / (out - radius - d);
  middle = first * h + (q - 1) * (ring - radius);
  inner = Round(Log(middle / (first * h)) / Log(q));
  outer = Round(Log(d / middle) / Log(q));
  Transfinite Curve{1 : 4, 11 : 14, 21 : 24} = n + 1;
  Transfinite Curve{31 : 34} = inner + 1 Using Progression q;
  Transfinite Curve{41 : 44} = outer + 1 Using Progression q;
  For k In {0 : 3}
    Curve Loop(1 + k) = {1 + k, 31 + (k + 1) % 4, -(11 + k), -(31 + k)};
    Curve Loop(11 + k) = {11 + k, 41 + (k + 1) % 4, -(21 + k), -(41 + k)};
    Plane Surface(1 + k) = {-(1 + k)};
    Plane Surface(11 + k) = {-(11 + k)};
  EndFor

  // The 3 x 3 blocks: points p[], lines along x a[] and along y b[]; the square's points and sides are among them.
  x[] = {0, cx - half, cx + half, length};
  y[] = {0, cy - half, cy + half, height};
  For j In {0 : 3}
    For i In {0 : 3}
      p[i + 4 * j] = 40 + i + 4 * j;
      If (i == 0 || i == 3 || j == 0 || j == 3)
        Point(p[i + 4 * j]) = {x[i], y[j], 0};
      EndIf
    EndFor
  EndFor
  p[10] = 21; p[9] = 22; p[5] = 23; p[6] = 24;
  For j In {0 : 3}
    For i In {0 : 2}
      a[i + 3 * j] = 51 + i + 3 * j;
      b[j + 4 * i] = 71 + j + 4 * i;
      If (i != 1 || j == 0 || j == 3)
        Line(a[i + 3 * j]) = {p[i + 4 * j], p[i + 1 + 4 * j]};
        Line(b[j + 4 * i]) = {p[j + 4 * i], p[j + 4 * i + 4]};
      EndIf
    EndFor
  EndFor
  a[7] = -21; b[5] = -22; a[4] = 23; b[6] = 24;
  wide = 4 * d;                         // at the outlet
  q = (x[3] - x[2] - d) / (x[3] - x[2] - wide);
  along = Round(Log(wide / d) / Log(q));
  For j In {0 : 3}
    Transfinite Curve{a[3 * j], b[j]} = Round((cx - half) / d * 1.2) + 1 Using Progression 1.03;
    Transfinite Curve{Fabs(a[1 + 3 * j]), Fabs(b[4 + j])} = n + 1;
    Transfinite Curve{a[2 + 3 * j]} = along + 1 Using Progression q;
    Transfinite Curve{b[8 + j]} = Round((height - cy - half) / d * 1.2) + 1 Using Progression 1 / 1.03;
  EndFor
  For j In {0 : 2}
    For i In {0 : 2}
      If (i != 1 || j != 1)
        s = 21 + i + 3 * j;
        Curve Loop(s) = {a[i + 3 * j], b[i + 1 + 4 * j], -a[i + 3 * j + 3], -b[i + 4 * j]};
        Plane Surface(s) = {s};
      EndIf
    EndFor
  EndFor
  Transfinite Surface{:};
  Recombine Surface{:};

  Physical Curve("inlet") = {b[0], b[4], b[8]};
  Physical Curve("outlet") = {b[3], b[7], b[11]};
  Physical Curve("walls") = {a[0], a[1], a[2], a[9], a[10], a[11]};
  Physical Curve("cylinder") = {1 : 4};
  Physical Surface("fluid") = Surface{:};
Else
  // Rings of triangles about the cylinder, every second one turned by half a triangle: close to equilateral, flatter at the
  // cylinder, and alike all round (the lift is 0.2 % of the drag: irregular triangles at the cylinder drown it).  Around
  // them the widths grow with the distance, less so in the wake, and are smaller at the walls.
  ring = 0.16;                          // radius of the outermost ring, about
  n = Ceil(0.5 * Pi * radius / h);      // triangles along a quarter of a ring
  step = 0.5 * Pi / n;                  // width over radius
  rings = Ceil(Log(ring / radius) / (0.5 * Sqrt(3) * step)) + 1;

  Point(1) = {0, 0, 0};
  Point(2) = {length, 0, 0};
  Point(3) = {length, height, 0};
  Point(4) = {0, height, 0};
  Line(1) = {1, 2};
  Line(2) = {2, 3};
  Line(3) = {3, 4};
  Line(4) = {4, 1};
  Point(5) = {cx, cy, 0};
  r = radius;
  tall = 0.7;                           // height of the triangles, 1: equilateral
  For i In {0 : rings}                  // circle i: points and arcs c .. c + 3
    c = 10 + 8 * i;
    For k In {0 : 3}
      angle = k * Pi / 2 + (i % 2) * step / 2;
      Point(c + k) = {cx + r * Cos(angle), cy + r * Sin(angle), 0};
    EndFor
    For k In {0 : 3}
      Circle(c + k) = {c + k, 5, c + (k + 1) % 4};
    EndFor
    Transfinite Curve{c : c + 3} = n + 1;
    If (i < rings)
      r = r * (1 + 0.5 * Sqrt(3) * step * tall);
      tall = (tall * 1.05 < 1) ? tall * 1.05 : 1;
    EndIf
  EndFor
  For i In {0 : rings - 1}              // ring i: lines c + 4 .. c + 7 to the next circle, surfaces c .. c + 3
    c = 10 + 8 * i;
    For k In {0 : 3}
      Line(c + 4 + k) = {c + k, c + 8 + k};
    EndFor
    Transfinite Curve{c + 4 : c + 7} = 2;
    For k In {0 : 3}
      next = (k + 1) % 4;
      Curve Loop(c + k) = {c + k, c + 4 + next, -(c + 8 + k), -(c + 4 + k)};
      Plane Surface(c + k) = {-(c + k)};
      If (i % 2 == 0)
        Transfinite Surface{c + k} = {c + k, c + next, c + 8 + next, c + 8 + k} Left;
      Else
        Transfinite Surface{c + k} = {c + k, c + next, c + 8 + next, c + 8 + k} Right;
      EndIf
    EndFor
  EndFor
  c = 10 + 8 * rings;
  Curve Loop(1) = {1, 2, 3, 4};
  Curve Loop(2) = {c : c + 3};
  Plane Surface(1) = {1, 2};

  Field[1] = MathEval;
  Field[1].F = Sprintf("%g + 0.06 * (sqrt((x - %g)^2 + (y - %g)^2) - %g)", r * step, cx, cy, r);
  Field[2] = MathEval;                  // wake
  Field[2].F = Sprintf("%g + 0.06 * abs(y - %g) + 0.005 * abs(x - %g)", 2 * h, cy, cx);
  Field[3] = MathEval;                  // walls
  Field[3].F = Sprintf("%g + 0.1 * y", 4 * h);
  Field[4] = MathEval;
  Field[4].F = Sprintf("%g + 0.1 * (%g - y)", 4 * h, height);
  Field[5] = Min;
  Field[5].FieldsList = {1, 2, 3, 4};
  Background Field = 5;
  Mesh.MeshSizeExtendFromBoundary = 0;
  Mesh.MeshSizeFromPoints = 0;
  Mesh.Algorithm = 6;                   // Frontal-Delaunay
  Mesh.Smoothing = 10;

  Physical Curve("inlet") = {4};
  Physical Curve("outlet") = {2};
  Physical Curve("walls") = {1, 3};
  Physical Curve("cylinder") = {10 : 13};
  Physical Surface("fluid") = Surface{:};
EndIf
