#!/usr/bin/env bash
# Mistakes in expressions, inlets by rate, rotating walls, driven flows, heat and sources, each found by poise check:
# misspelt keys, values of another type, missing partners, values that cannot be evaluated.
source "$(dirname "$0")/../checks.sh"
poise=$(realpath "${POISE:-build/poise}") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
cat >channel.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1e-3; };
boundary = { left = { type = "inlet"; velocity = ["6*y*(1-y)*sin(pi*t/8)", "0"]; };
             right = { type = "outlet"; };
             top = { type = "wall"; };
             bottom = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.1; };
CASE
cat >driven.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1e-3; };
boundary = { left = { type = "periodic"; with = "right"; }; right = { type = "periodic"; };
             top = { type = "wall"; };
             bottom = { type = "wall"; }; };
driven = { direction = [1.0, 0.0]; flow_rate = 2.0; };
CASE
cat >heat.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1e-3; heat_capacity = 1000.0; conductivity = 0.6; expansion = 2e-4;
          reference_temperature = 293.0; gravity = [0.0, -9.81]; };
boundary = { left = { type = "wall"; temperature = 310.0; }; right = { type = "wall"; transfer = [10.0, 290.0]; };
             top = { type = "wall"; heat_flux = 5.0; };
             bottom = { type = "wall"; }; };
sources  = { heater = { region = "fluid"; heat = "1e4*exp(-t)"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.1; };
CASE
printf 'y,velocity_x,velocity_y\n0,0,0\n0.5,1,0\n1,0,0\n' >m.csv
printf 'y,velocity_x,velocity_y\n0,0,0\n0.5,one,0\n1,0,0\n' >word.csv
printf 'y,velocity_x\n0,0\n0.5\n1,0\n' >short.csv
printf 'y,u,v\n0,0,0\n1,0,0\n' >names.csv
printf 'y,velocity_x,velocity_y\n' >empty.csv
printf 'y,velocity_x,velocity_y\n0.3,0,0\n0.2,1,0\n' >inner.csv
printf 't,velocity_x,velocity_y\n0,0,0\n0.3,1,0\n' >time.csv
printf 'heat_capacity\n4.0\n' >one.csv
printf 'temperature,conductivity,viscosity\n280,0.6,1e-3\n300,0.7,8e-4\n320,0.8,-1\n' >steel.csv
printf 'temperature,conductivity\n295,0.6\n320,0.7\n' >narrow.csv
printf 'temperature,conductivity\n280,0.6\n300,cold\n' >cold.csv
printf 'temperature,conductivity\n280,0.6\n300,0.5\n280,0.4\n' >twice.csv
printf 'temperature,x,conductivity\n280,0,0.6\n300,1,0.5\n' >both.csv
printf 'temperature,conductivity\n300,0.6\n' >row.csv
printf 'shear_rate,viscosity\n1,0.6\n2,0.5\n' >shear.csv
printf 'dye,temperature,diffusivity\n0,280,0.6\n1,320,0.5\n' >dye.csv
cat >level.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1e-3; };
second_fluid = { density = 10.0; viscosity = 0.1; };
shapes = { wave = { type = "level"; function = "y - 0.5 - 0.01*cos(2*pi*x)"; }; };
boundary = { left = { type = "wall"; }; right = { type = "wall"; }; top = { type = "wall"; };
             bottom = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.1; };
CASE
cat >drop.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
fluid = { viscosity = 1e-3; heat_capacity = 1000.0; conductivity = 0.6; };
second_fluid = { density = 10.0; viscosity = 0.1; heat_capacity = 500.0; conductivity = 0.1; };
shapes = { drop = { type = "sphere"; centre = [0.5, 0.5]; radius = 0.25; }; };
boundary = { left = { type = "wall"; temperature = 310.0; }; right = { type = "wall"; temperature = 290.0; };
             top = { type = "wall"; }; bottom = { type = "wall"; }; };
solver = { algorithm = "piso"; };
time = { end = 1.0; step = 0.1; };
CASE
weight='density = "2-temperature*1e-3"; reference_temperature = 300.0; gravity = [0.0, -9.81];'
sed "s/viscosity = 1e-3;/$weight &/" drop.cfg |
    cat - <(echo 'scalars = { dye = { diffusivity = 1.0; initial = 1.0; }; };') >weigh.cfg
cat >wall.cfg <<'CASE'
mesh = { box = { cells = [8, 8]; }; };
solids = { fluid = { density = 8.0; heat_capacity = 5.0; conductivity = "1 + x"; }; };
boundary = { left = { type = "wall"; temperature = 310.0; }; right = { type = "wall"; temperature = 290.0; };
             top = { type = "wall"; }; bottom = { type = "wall"; }; };
CASE
for case in channel driven heat level drop weigh wall; do check "$case" "$poise" check $case.cfg; done

# case | --set | text, and a second one
while IFS='|' read -r case set text also; do
    said=$("$poise" check "$case.cfg" --set "$set" 2>&1)
    found=$?
    [[ $found == 1 && $said == *"$text"* && $said == *"$also"* ]] && said=""
    result "$case $set" "${said:+status $found, expected 1 with \"$text\" $also: $said}"
done <<'END'
channel|boundary.left.velocity=["6*y*(1-y)*sin(pi*t/8","0"]|boundary.left.velocity: a closing ) is missing|sin(pi*t/8
channel|boundary.left.velocity=["6*y*(1-q)","0"]|there is no variable "q"; expected x, y, z or t, a number, pi, e
channel|boundary.left.velocity="6*y"|expected 2 or 3 numbers or expressions in brackets, like [1.0, 0.0]
channel|boundary.left.velocity=["6*y","0","1"]|boundary.left.velocity has 3 numbers, but box is 2-D: expected 2
channel|boundary.left.velocity=["log(y-0.5)","0"]|is not a number in the face around (0, 0.0625) of boundary "left"
channel|boundary.left.velocty=["6*y","0"]|"boundary.left.velocty" (did you mean "velocity"?)
channel|boundary.left.flow_rate=2|boundary.left.flow_rate: the inlet has velocity already; remove one
channel|boundary.left={type="inlet";flow_rate="two"}|boundary.left.flow_rate: there is no variable "two"; expected t
channel|boundary.left={type="inlet";flow_rat=2}|(did you mean "flow_rate"?)|or flow_rate, mass_flow or total_pressure
channel|boundary.left={type="inlet";flow_rate=[1,2]}|flow_rate = [1, 2]: expected a number or an expression of t
channel|boundary.left={type="inlet";mass_flow=1;flow_rate=2}|mass_flow: the inlet has flow_rate already; remove one
channel|boundary.left={type="inlet";mass_flo=1}|(did you mean "mass_flow"?)|boundary.left.velocity is missing
channel|boundary.left={type="inlet";total_pressure=1;velocity=[1,0]}|the inlet has velocity already; remove one
channel|boundary.left={type="inlet";total_pressure="p"}|boundary.left.total_pressure: there is no variable "p"
channel|boundary.top.rotation={about=[0,0]}|boundary.top.rotation.speed is missing: expected a number or an expression
channel|boundary.top.rotation={speed=10}|boundary.top.rotation.about is missing: expected 2 or 3 numbers in brackets
channel|boundary.top.rotation={abot=[0,0];speed=10}|"boundary.top.rotation.abot" (did you mean "about"?)
channel|boundary.top.rotation={about=[0,0,0];speed=10}|boundary.top.rotation.about has 3 numbers, but box is 2-D
channel|boundary.top.rotation={about=[0,0];speed="fast"}|boundary.top.rotation.speed: there is no variable "fast"
channel|boundary.top.rotation=10|boundary.top.rotation = 10: expected a group of keys, { ... }
channel|boundary.top.rotation={about=[0,0];speed=10;axis=[0,0,1]}|axis does not apply to box, which is 2-D
channel|boundary.top.rotation={about=[0,0];speed=10}|the rotation of wall "top" points through the wall
channel|boundary.left.rotation={about=[0,0];speed=10}|boundary.left.rotation does not apply to type "inlet"; remove it
channel|boundary.top.temperature=310|needs a temperature: give fluid.heat_capacity and fluid.conductivity
channel|fluid.heat_capacity=1000|fluid.conductivity is missing: fluid.heat_capacity needs it, a number > 0
channel|fluid.acceleration=1|fluid.acceleration = 1: expected 2 or 3 numbers or expressions in brackets
channel|fluid.aceleration=[1,0]|"fluid.aceleration" (did you mean "acceleration"?)
channel|fluid.acceleration=[1,0,0]|fluid.acceleration has 3 numbers, but box is 2-D: expected 2
channel|driven={direction=[1,0];flow_rate=2}|is not a periodic direction of the mesh; periodic directions: none
driven|driven={direction=[1,0]}|driven needs flow_rate or pressure_gradient, like driven = { direction
driven|driven={flow_rate=2}|driven.direction is missing: expected 2 or 3 numbers in brackets, like [1.0, 0.0]
driven|driven={direction=[1,0];flow_rate=2;pressure_gradient=1}|one follows from the other; remove one of them
driven|driven={direction=[0,1];flow_rate=2}|driven.direction = [0, 1] is not a periodic direction|directions: [1, 0]
driven|driven={direction=[1,0];flowrate=2}|"driven.flowrate" (did you mean "flow_rate"?)
driven|driven={direction=[0,0];flow_rate=2}|driven.direction is a vector of length 0; expected a direction
driven|driven={direction=1;flow_rate="a*t"}|driven.direction = 1: expected|driven.flow_rate: there is no variable "a"
driven|driven=1|driven is not a group: expected driven = { ... }
heat|sources.heater={region="fluid"}|sources.heater gives nothing; expected heat, force or resistance
heat|sources.heater={region="flud";heat=3}|sources.heater.region "flud" is not in box; it has: fluid (did you mean
heat|sources.heater={region="fluid";heta=3}|"sources.heater.heta" (did you mean "heat"?)
heat|sources.heater={region="fluid";heat=[1,2]}|sources.heater.heat = [1, 2]: expected a number or an expression of
heat|sources.heater={region=3;heat="exp("}|region = 3: expected a name in quotes|heat: the expression ends too early
heat|sources.heater={region="fluid";heat="log(x-0.5)"}|sources.heater.heat is not a number in the cell around (0.0625
heat|sources.heater={force=["sqrt(-y)",0]}|sources.heater.force is not a number in the cell around (0.0625, 0.0625)
heat|sources=3|sources is not a group: expected sources = { ... }
heat|fluid.expansion="many"|fluid.expansion = "many": expected a number
heat|fluid.expanson=1|"fluid.expanson" (did you mean "expansion"?)
heat|fluid.gravity=|fluid.expansion needs fluid.gravity, like gravity = [0.0, -9.81]
heat|boundary.right.transfer=10|transfer = 10: expected a pair of numbers or expressions in brackets, like [10.0, 293.0]
heat|boundary.right.transfer=[-10,290]|expected two numbers, a coefficient >= 0 and the outside temperature
heat|boundary.right.transfr=[10,290]|"boundary.right.transfr" (did you mean "transfer"?)
heat|boundary.top.heat_flux="y+"|boundary.top.heat_flux: the expression ends too early
heat|boundary.top.heat_flux="1/(x-x)"|boundary.top.heat_flux is infinite in the face around (0.0625, 1) of boundary
heat|boundary.top.temperature=3|boundary.top.heat_flux: boundary "top" has temperature too; remove one of them
heat|boundary.left.temperature="log(y-0.5)"|boundary.left.temperature is not a number in the face around (0, 0.0625)
heat|boundary.left.temperature=[3]|boundary.left.temperature = [3]: expected a number or an expression of x, y, z or t
heat|boundary.left.tmperature=3|"boundary.left.tmperature" (did you mean "temperature"?)
heat|initial.temperature="log(x-0.5)"|initial.temperature is not a number in the cell around (0.0625, 0.0625)
heat|initial.temprature=3|"initial.temprature" (did you mean "temperature"?)
heat|initial.velocity=["sin(x)","cos(w)"]|initial.velocity: there is no variable "w"; expected x, y or z
heat|initial.velocity=["sin(t)","0"]|initial.velocity: there is no variable "t"; expected x, y or z
heat|initial.velocity=["log(-x)","0"]|initial.velocity is not a number in the cell around (0.0625, 0.0625)
heat|initial.pressure="1/(x-x)"|initial.pressure is infinite in the cell around (0.0625, 0.0625)
heat|mesh.rotate=[0,0,1,30]|mesh.rotate has 4 numbers: expected one in 2-D, the degrees
driven|fluid={viscosity_model={type="power-law";consistency=1;};}|fluid.viscosity_model.exponent is missing: expected a
driven|fluid={viscosity_model={type="powerlaw";consistency=1;exponent=0.5;};}|(did you mean "power-law"?)
driven|fluid={viscosity_model={consistency=1;exponent=0.5;};}|fluid.viscosity_model.type is missing: expected power-law
driven|fluid={viscosity_model={type="power-law";consistenci=1;exponent=0.5;};}|(did you mean "consistency"?)
driven|fluid={viscosity_model={type="power-law";consistency="a";exponent=1;};}|consistency = "a": expected a number
driven|fluid={viscosity_model={type="power-law";consistency=1;exponent=1;zero=1;};}|zero does not apply to type
driven|fluid={viscosity_model={type="carreau";zero=1;exponent=0.5;};}|fluid.viscosity_model.time is missing
driven|fluid={viscosity_model={type="bingham";yield_stress=1;};}|plastic_viscosity is missing|regularisation is missing
driven|fluid.viscosity_model={type="power-law";consistency=1;exponent=0.5;}|remove one of them
driven|fluid={viscosity_model=3;}|fluid.viscosity_model is not a group: expected viscosity_model = { ... }
channel|boundary.right.backflow="non"|boundary.right.backflow = "non": expected total, static or none
channel|boundary.right.backflw="none"|"boundary.right.backflw" (did you mean "backflow"?)
channel|boundary.left.backflow="none"|boundary.left.backflow does not apply to type "inlet"; remove it
channel|boundary.left={type="inlet";table="word.csv";}|word.csv:3: velocity_x = "one": expected a number
channel|boundary.left={type="inlet";table="short.csv";}|short.csv:3: 1 number, but the first line names 2 columns
channel|boundary.left={type="inlet";table="names.csv";}|names.csv has a column "u"; expected x, y, z, t, velocity_x
channel|boundary.left={type="inlet";table="empty.csv";}|empty.csv: the table is empty: expected the names of the
channel|boundary.left={type="inlet";table="inner.csv";}|boundary.left.velocity is not covered by the points of its table
channel|boundary.left={type="inlet";table="none.csv";}|boundary.left.table: none.csv: No such file or directory
channel|boundary.left={type="inlet";table=3;}|boundary.left.table = 3: expected the path of a CSV table
channel|boundary.left={type="inlet";tabel="m.csv";}|"boundary.left.tabel" (did you mean "table"?)
channel|boundary.left={type="inlet";table="m.csv";velocity=[1,0];}|the table m.csv has a column "velocity_x"; remove one
channel|boundary.left.velocity=["table:m.csv:velocty_x",0]|m.csv has no column "velocty_x"|(did you mean "velocity_x"?)
channel|initial.velocity=["table:time.csv:velocity_x",0]|time.csv has a column t, on which this value cannot depend
channel|fluid.acceleration=["table:m.csv:velocity_x",0]|m.csv has a column y, on which this value cannot depend
level|shapes.wave={type="level"}|shapes.wave.function is missing: expected a number or an expression of x, y or z
level|shapes.wave={type="levl";function="y"}|shapes.wave.type = "levl": expected|(did you mean "level"?)
level|shapes.wave={type="level";functon="y"}|"shapes.wave.functon" (did you mean "function"?)
level|shapes.wave={type="level";function="y-0.5+"}|shapes.wave.function: the expression ends too early
level|shapes.wave={type="level";function="y-t"}|there is no variable "t"; expected x, y or z
level|shapes.wave={type="level";function="y+1"}|shapes.wave.function is negative nowhere in the mesh
level|shapes.wave={type="level";function="log(y-0.5)"}|is not a finite number in the cell around (0.0625, 0.0625)
level|shapes.wave={type="level";function="y-0.5";radius=1}|shapes.wave.radius does not apply to type "level"
heat|solids.plate={density=8;heat_capacity=5;conductivity=15;}|the solid "plate" is not in box; it has: fluid
heat|solids.fluid={density=8;heat_capacity=5;conductivity=15;}|box: all of its regions are solids, so that nothing flows
heat|solids.plate={density=8;heat_capacity=5;}|solids.plate.conductivity is missing: expected a number > 0
heat|solids.plate={density=8;heat_capacity=5;conductivty=15;}|"solids.plate.conductivty" (did you mean "conductivity"?)
heat|solids.plate={density="a";heat_capacity=5;conductivity=1;}|solids.plate.density = "a": expected a number > 0
heat|solids=3|solids is not a group: expected solids = { ... }
wall|solids.fluid.conductivity="x-0.5"|solids.fluid.conductivity is -0.4375, outside its range (0, inf)
wall|solids.fluid.conductivity="1/(x-0.0625)"|solids.fluid.conductivity is infinite in the cell around (0.0625, 0.0625)
wall|initial.temperature="log(x-0.5)"|initial.temperature is not a number in the cell around (0.0625, 0.0625)
channel|solids.plate={density=8;heat_capacity=5;conductivity=15;}|solids.plate conducts heat, but the case has no
channel|boundary.right={type="outlet";total_pressure=0;pressure=1;}|boundary.right.pressure does not apply to an outlet
channel|boundary.right={type="outlet";total_pressure="q";}|boundary.right.total_pressure: there is no variable "q"
channel|boundary.right={type="outlet";total_presure=0;}|(did you mean "total_pressure"?)
channel|fluid.viscosity="0.001*(1+shear)"|there is no variable "shear" (did you mean shear_rate?)
channel|fluid.viscosity="-0.001"|fluid.viscosity = "-0.001": expected a number > 0 or an expression
channel|fluid.viscosity="0.5-y"|fluid.viscosity is -0.4375, outside its range (0, inf) in the cell around|, 0.9375)
channel|fluid.viscosity="y"|fluid.viscosity is 0, outside its range|in the face around (0.0625, 0) of boundary "bottom"
channel|fluid.viscosity="1+temperature"|this case has no temperature; give heat_capacity and conductivity
heat|fluid.viscosity="x*temperature"|expected an expression of shear_rate alone, of one field alone
heat|fluid.viscosity="1/(temperature-300)"|at temperature = 270: expected a number > 0 from 270
heat|fluid.conductivity="1+temprature"|there is no variable "temprature" (did you mean temperature?)
heat|fluid.conductivity="temperature*x"|expected an expression of temperature alone, or of x, y, z and t
heat|fluid.conductivity="temperature-280"|"temperature-280" is -10 at temperature = 270: expected a number > 0 from 270
heat|fluid.conductivity="log(x-0.5)"|fluid.conductivity is not a number in the cell around (0.0625, 0.0625)
heat|fluid.conductivity="y-0.5"|fluid.conductivity is -0.4375, outside its range (0, inf) in the cell around
heat|fluid.conductivity="y+"|fluid.conductivity: the expression ends too early
heat|fluid.density="temperature"|fluid.expansion: the expression of fluid.density is the density in
channel|fluid.density="temperature"|fluid.density = "temperature" needs fluid.gravity|needs fluid.reference_temperature
channel|fluid.density="temprature"|there is no variable "temprature" (did you mean temperature?)
channel|fluid.density="1+x"|fluid.density: there is no variable "x"; expected temperature
level|second_fluid.surface_tension="1-x"|second_fluid.surface_tension: there is no variable "x"; expected temperature
level|second_fluid.surface_tension="1-temprature"|there is no variable "temprature" (did you mean temperature?)
level|second_fluid.surface_tension="1-temperature"|this case has no temperature; give heat_capacity and conductivity
level|fluid.density="temperature"|fluid.density = "temperature" needs fluid.gravity|needs fluid.reference_temperature
level|second_fluid.density="1+x"|second_fluid.density: there is no variable "x"; expected temperature
drop|second_fluid.density="temperature"|"temperature" needs fluid.gravity|needs fluid.reference_temperature
drop|second_fluid.density="temprature"|there is no variable "temprature" (did you mean temperature?)
drop|second_fluid.density=-1|second_fluid.density = -1: expected a number > 0 or an expression
weigh|second_fluid.density="temperature-300"|"temperature-300" is -30 at temperature = 270: expected
weigh|second_fluid.density="dye"|expected an expression of temperature, as fluid.density is
weigh|second_fluid.expansion=1e-3|second_fluid.expansion: the expression of fluid.density is the density in the weight
weigh|second_fluid.density="table:narrow.csv:conductivity"|narrow.csv goes from temperature = 295 to 320, but the case
heat|fluid={viscosity=1;density="temperature-280";reference_temperature=293;heat_capacity=1;conductivity=1;}|is -10 at
drop|second_fluid.conductivity="temprature"|there is no variable "temprature" (did you mean temperature?)
drop|second_fluid.conductivity="x*temperature"|second_fluid.conductivity = "x*temperature": expected an expression of
drop|second_fluid.conductivity="temperature-300"|"temperature-300" is -30 at temperature = 270: expected
drop|second_fluid.conductivity="y-0.5"|second_fluid.conductivity is -0.4375, outside its range (0, inf) in the cell
drop|second_fluid.conductivity="table:narrow.csv"|narrow.csv goes from temperature = 295 to 320, but the case gives it
drop|second_fluid.conductivity=-1|second_fluid.conductivity = -1: expected a number > 0 or an expression of
drop|boundary.right={type="wall";transfer=[1,290];}|apply to a case of two conductivities: give temperature or heat_flux
drop|second_fluid.heat_capacity="temprature"|there is no variable "temprature" (did you mean temperature?)
drop|second_fluid.heat_capacity="1+x"|second_fluid.heat_capacity: there is no variable "x"; expected temperature
drop|second_fluid.heat_capacity="temperature-300"|"temperature-300" is -30 at temperature = 270: expected
drop|second_fluid.heat_capacity="table:one.csv"|second_fluid.heat_capacity = "table:one.csv": expected a number
drop|second_fluid.heat_capacity=0|second_fluid.heat_capacity = 0: expected a number > 0 or an expression of
level|second_fluid.conductivity="temperature"|second_fluid.conductivity needs a temperature: give
heat|fluid.heat_capacity="temperature-280"|fluid.heat_capacity = "temperature-280" is -10 at temperature = 270
heat|fluid.heat_capacity="1+x"|fluid.heat_capacity: there is no variable "x"; expected temperature
heat|fluid.heat_capacity="table:one.csv"|fluid.heat_capacity = "table:one.csv": expected a number > 0 or an
heat|fluid.viscosity="table:steel.csv"|fluid.viscosity: steel.csv:4: viscosity = -1: expected a number > 0
heat|fluid.conductivity="table:narrow.csv"|narrow.csv goes from temperature = 295 to 320, but the case gives it the
heat|fluid={conductivity="table:steel.csv";property_range=[270,300];viscosity=1;heat_capacity=1;}|steel.csv, the table
heat|fluid.conductivity="table:cold.csv"|cold.csv:3: conductivity = "cold": expected a number
heat|fluid.conductivity="table:twice.csv"|twice.csv:4: the same temperature as in line 2
heat|fluid.conductivity="table:both.csv"|both.csv:1: columns x and temperature: expected a table over one field, or over
heat|fluid.conductivity="table:row.csv"|fluid.conductivity: row.csv has one row; expected two or more
heat|fluid.conductivity="table:steel.csv:conductivty"|no column "conductivty"|(did you mean "conductivity"?)
heat|fluid.conductivity="table:steal.csv"|fluid.conductivity: steal.csv: No such file or directory
heat|fluid.viscosity="table:shear.csv"|a table has an end, shear rates have not: expected an expression of shear_rate
channel|fluid.viscosity="table:steel.csv"|this case has no temperature; give heat_capacity and conductivity
heat|scalars={dye={diffusivity="table:dye.csv";};}|dye.csv:1: columns temperature and dye: expected a table over one
heat|boundary.left.temperature="table:steel.csv:conductivity"|steel.csv:3: the same point as in line 2
heat|solids.plate={density=8;heat_capacity="x*temperature";conductivity=1;}|expected an expression of temperature alone
heat|solids.plate={density=8;heat_capacity="1+t";conductivity=1;}|there is no variable "t"; expected x, y, z or
heat|fluid.property_range=[1,2]|fluid.property_range: no property depends on temperature; remove it
heat|scalars={dye={diffusivity="1+dy";};}|there is no variable "dy"; expected x, y, z, t, temperature or dye
heat|scalars={dye={diffusivity="dye*x";};}|expected an expression of the scalar alone, of temperature alone, or of x, y
heat|scalars={dye={diffusivity="it";};it={diffusivity=1;};}|"it": expected an expression of the scalar alone
heat|scalars={dye={diffusivity="1+dye";};}|"1+dye" needs scalars.dye.range: the case gives the field one number
heat|scalars={dye={diffusivity="x-0.5";};}|scalars.dye.diffusivity is -0.4375, outside its range [0, inf) in the cell
heat|scalars={dye={diffusivity="dye";range=[-1,1];};}|is -1 at dye = -1: expected a number >= 0 from -1 to 1
channel|fluid.viscosity=[1,2]|fluid.viscosity = [1, 2]: expected a number > 0 or an expression
heat|mesh.scale="big"|mesh.scale = "big": expected a number > 0, or one for each direction in brackets
END
exit $failed
