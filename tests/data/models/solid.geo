SetFactory("OpenCASCADE");
Rectangle(1) = {0, 0, 0, 2, 1}; Rectangle(2) = {0, -0.4, 0, 2, 0.4};
BooleanFragments{ Surface{1}; Delete; }{ Surface{2}; Delete; }
MeshSize{:} = 0.15;
Physical Surface("water") = {1}; Physical Surface("plate") = {2};
bottom() = Curve In BoundingBox{-0.01, -0.41, -1, 2.01, -0.39, 1}; Physical Curve("bottom") = {bottom()};
top() = Curve In BoundingBox{-0.01, 0.99, -1, 2.01, 1.01, 1}; Physical Curve("top") = {top()};
inlet() = Curve In BoundingBox{-0.01, -0.01, -1, 0.01, 1.01, 1}; Physical Curve("inlet") = {inlet()};
outlet() = Curve In BoundingBox{1.99, -0.01, -1, 2.01, 1.01, 1}; Physical Curve("outlet") = {outlet()};
ends() = {Curve In BoundingBox{-0.01, -0.41, -1, 0.01, 0.01, 1}, Curve In BoundingBox{1.99, -0.41, -1, 2.01, 0.01, 1}};
Physical Curve("ends") = {ends()};
