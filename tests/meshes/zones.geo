// A channel 2 long and 1 high, of triangles, or with solid = 1 of prisms 0.4 deep; its middle half is a zone of its own,
// "heater", the rest "fluid".
DefineConstant[ h = 0.1, solid = 0 ];
For i In {0:3}
  x = i == 0 ? 0 : i == 1 ? 0.5 : i == 2 ? 1.5 : 2;
  Point(1 + i) = {x, 0, 0, h}; Point(5 + i) = {x, 1, 0, h};
  Line(11 + i) = {1 + i, 5 + i};
EndFor
For i In {0:2}
  Line(21 + i) = {1 + i, 2 + i}; Line(31 + i) = {5 + i, 6 + i};
  Curve Loop(1 + i) = {21 + i, 12 + i, -(31 + i), -(11 + i)};
  Plane Surface(1 + i) = {1 + i};
EndFor
If (solid)
  For i In {1:3}
    made[] = Extrude {0, 0, 0.4} { Surface{i}; Layers{4}; Recombine; };
    front[] += made[0]; volume[] += made[1]; bottom[] += made[2]; top[] += made[4];
    If (i == 1)
      left[] = made[5];
    EndIf
    right[] = made[3];
  EndFor
  Physical Surface("left") = {left[]}; Physical Surface("right") = {right[]};
  Physical Surface("walls") = {bottom[], top[]}; Physical Surface("sides") = {1, 2, 3, front[]};
  Physical Volume("fluid") = {volume[0], volume[2]}; Physical Volume("heater") = {volume[1]};
Else
  Physical Curve("left") = {11}; Physical Curve("right") = {14};
  Physical Curve("walls") = {21, 22, 23, 31, 32, 33};
  Physical Surface("fluid") = {1, 3}; Physical Surface("heater") = {2};
EndIf
