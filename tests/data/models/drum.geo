SetFactory("OpenCASCADE");
Disk(1) = {0, 0, 0, 1}; Disk(2) = {0.2, 0, 0, 0.4};
BooleanDifference{ Surface{1}; Delete; }{ Surface{2}; Delete; }
MeshSize{:} = 0.055;
Physical Surface("fluid") = {1};
drum() = Curve In BoundingBox{-0.3, -0.5, -1, 0.7, 0.5, 1}; Physical Curve("drum") = {drum()};
outer() = Abs(Boundary{ Surface{1}; }); outer() -= {drum()}; Physical Curve("outer") = {outer()};
