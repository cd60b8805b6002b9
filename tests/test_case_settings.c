/* Settings of a case as stored in the structs: every key, defaults, --set. */
#include "case_fixture.h"

static char *every_key_path, *every_key_transient_path, *every_key_coupled_path,
            *every_key_heat_path, *drop_path;    /* absolute; in main() */

static void defaults(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    const struct solver_setting *s = &c.flow.solver;
    write_case(0, NULL);
    read_good(&c, "c.cfg", NULL, 0);
    assert_string_equal(c.source->name, "c");
    assert_string_equal(c.mesh.file, "cavity.geo");
    assert_true(f->fluid.density == 1 && f->fluid.viscosity == 0.001 && s->tolerance == 1e-6 &&
                s->max_iterations == 5000);
    assert_true(s->relaxation_velocity == 0.9 && s->relaxation_pressure == 1 && s->non_orthogonal_correctors == 0);
    assert_true(s->algorithm == ALGORITHM_SIMPLEC && s->convection == CONVECTION_LINEAR_UPWIND);
    assert_true(s->gradient == GRADIENT_LEAST_SQUARES && c.mesh.ordering == ORDERING_HILBERT && !c.mesh.box.given);
    assert_true(s->pressure.preconditioner == PRECONDITIONER_MULTIGRID);
    assert_true(s->pressure.tolerance == 0.1 && s->pressure.max_iterations == 1000);
    assert_true(s->pressure.smoothing_before == 0 && s->pressure.smoothing_every == 0 && s->pressure.absolute == 0);
    assert_true(s->velocity.method == METHOD_BICGSTAB && s->velocity.preconditioner == PRECONDITIONER_JACOBI);
    assert_true(s->acceleration == 0 && s->velocity.tolerance == 0.1 && s->velocity.max_iterations == 50 &&
                s->velocity.absolute == 0);
    assert_true(c.output.every == 0 && c.output.checkpoint_every == 0 && c.output.report_every == 1 &&
                c.output.checkpoint_minutes == 15 && c.output.control_every == 10 &&
                c.output.n_fields == 2);
    assert_string_equal(c.output.directory, "c.out");
    assert_string_equal(c.output.field[1], "pressure");
    assert_true(f->boundary.n == 2 && f->boundary.item[0].velocity_length == 2 &&
                f->boundary.item[0].velocity[0].number == 1 &&
                f->boundary.item[0].velocity[1].number == 0.5);
    assert_true(f->boundary.item[1].velocity_length == 0 && f->boundary.item[1].place.line == 4 &&
                f->boundary.item[1].type == BOUNDARY_WALL);
    case_free(&c);
}

static void every_key(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    const struct solver_setting *s = &c.flow.solver;
    read_good(&c, every_key_path, NULL, 0);
    const struct box_setting *box = &c.mesh.box;
    assert_true(box->given && box->dim == 3 && box->cells[2] == 6 && box->from[0] == -1 && box->to[2] == 3);
    assert_true(box->stretch[1] == 10 && box->distortion == 0.2 && c.mesh.ordering == ORDERING_CUTHILL_MCKEE);
    const struct transform_setting *t = &c.mesh.transform;
    assert_true(t->n_scale == 3 && t->scale[2] == 0.5 && t->n_rotate == 4 && t->rotate[3] == 30 &&
                t->n_translate == 3 && t->translate[2] == -1 && t->place[1].line == 3);
    assert_true(f->fluid.density == 5e9 && f->boundary.n == 6);
    assert_true(f->buoyancy.given && f->buoyancy.expansion == -0.25 && f->buoyancy.reference == 293);
    assert_string_equal(f->buoyancy.scalar, "t");
    assert_true(f->fluid.acceleration_length == 3 && f->fluid.acceleration[2].number == 3.5);
    assert_true(f->driven.given && f->driven.direction[2] == -2 && f->driven.direction_length == 3 &&
                f->driven.flow_rate_given && f->driven.flow_rate.number == 4.5 && !f->driven.pressure_gradient_given);
    assert_true(f->boundary.item[0].type == BOUNDARY_INLET && f->boundary.item[0].profile == PROFILE_PARABOLOID);
    assert_true(f->boundary.item[0].velocity_length == 3 && f->boundary.item[1].pressure.number == 3 &&
                f->boundary.item[1].type == BOUNDARY_OUTLET);
    assert_string_equal(f->boundary.item[1].name, "out-1");
    assert_true(f->boundary.item[2].type == BOUNDARY_SYMMETRY && f->boundary.item[3].type == BOUNDARY_PERIODIC);
    assert_string_equal(f->boundary.item[3].with, "b");
    assert_string_equal(f->boundary.item[4].with, "");
    assert_true(f->boundary.item[5].rotation.given && f->boundary.item[5].rotation.about[2] == 3 &&
                f->boundary.item[5].rotation.axis[2] == 2 && f->boundary.item[5].rotation.speed.in_time);
    assert_true(f->initial.velocity_length == 3 && f->initial.velocity[2].number == 3 &&
                f->initial.pressure.number == -4.5);
    assert_true(s->algorithm == ALGORITHM_SIMPLE && s->relaxation_velocity == 0.9 && s->relaxation_pressure == 0.1);
    assert_true(s->max_iterations == 10000 && s->convection == CONVECTION_VAN_LEER &&
                s->gradient == GRADIENT_GREEN_GAUSS);
    assert_true(s->acceleration == 7 && s->non_orthogonal_correctors == 2 &&
                s->pressure.preconditioner == PRECONDITIONER_RUIZ);
    assert_true(s->pressure.inner == INNER_CG && s->pressure.inner_sweeps == 7 && s->pressure.smoothing_before == 3);
    assert_true(s->pressure.smoothing_every == 9 && s->pressure.absolute == 1e-12 && s->pressure.max_iterations == 77);
    const struct linear_setting *v = &s->velocity;
    assert_true(v->preconditioner == PRECONDITIONER_TWO_STAGE_GS && v->method == METHOD_GMRES && v->restart == 12 &&
                v->side == SIDE_LEFT && v->form == FORM_COMPACT && v->sweeps == 3);
    assert_true(s->velocity.tolerance == 0.2 && s->velocity.absolute == 1e-11 && s->velocity.max_iterations == 33);
    assert_string_equal(c.output.directory, "there");
    assert_string_equal(c.output.field[0], "vorticity");
    assert_true(c.output.n_fields == 1 && c.output.every == 10 && c.output.checkpoint_every == 20 &&
                c.output.format == OUTPUT_VTKHDF &&
                c.output.checkpoint_minutes == 2.5 && c.output.control_every == 3 &&
                c.output.report_every == 5);
    assert_true(c.lines.n == 1 && c.lines.item[0].length == 3 && c.lines.item[0].to[0] == 1 &&
                c.lines.item[0].points == 3);
    assert_true(c.probes.n == 1 && c.probes.item[0].at[2] == 1 && c.probes.item[0].place.line == 19);
    assert_true(c.forces.n == 1 && c.forces.item[0].n_boundaries == 2 && c.forces.item[0].about[1] == 1 &&
                c.forces.item[0].scale == 0.5);
    assert_string_equal(c.forces.item[0].boundary[1], "in");
    const struct surface_setting *w = c.surfaces.item;
    assert_true(c.surfaces.n == 1 && w->n_boundaries == 2 && w->n_fields == 2 && w->every == 7);
    assert_string_equal(w->field[0], "shear");
    const struct plane_setting *mid = c.planes.item;
    assert_true(c.planes.n == 1 && mid->point[1] == 1 && mid->normal[2] == 2 && mid->n_fields == 1 && mid->every == 9);
    assert_true(c.convergence.n == 2 && c.convergence.item[0].tolerance == 1e-4 && c.convergence.item[0].over == 12 &&
                c.convergence.item[1].over == 100);
    assert_string_equal(c.convergence.item[1].of, "p");
    assert_string_equal(c.convergence.item[1].quantity, "velocity_z");
    case_free(&c);
}

static void every_key_coupled(void **state)
{
    (void)state;
    struct case_settings c;
    const struct solver_setting *s = &c.flow.solver;
    const struct linear_setting *l = &s->coupled;
    read_good(&c, every_key_coupled_path, NULL, 0);
    const struct viscosity_setting *v = &c.flow.fluid.viscosity_model;
    assert_true(v->given && v->law == VISCOSITY_CARREAU && v->zero == 2 && v->infinite == 0.5 && v->time == 3 &&
                v->exponent == 0.25 && v->transition == 1.5);
    assert_true(s->algorithm == ALGORITHM_COUPLED && s->acceleration == 3 && s->newton == 0.1 &&
                s->non_orthogonal_correctors == 0);
    assert_true(l->preconditioner == PRECONDITIONER_ILU && l->level == 2 && l->method == METHOD_GMRES);
    assert_true(l->restart == 12 && l->tolerance == 0.05 && l->max_iterations == 44);
    const struct boundary_setting *b = c.flow.boundary.item;
    assert_true(b[1].rated && b[1].flow_rate.number == 2 && b[1].profile == PROFILE_PARABOLIC &&
                b[1].type == BOUNDARY_INLET);
    assert_true(b[2].weighed && b[2].flow_rate.number == -3 &&
                b[2].entering_density == c.flow.fluid.density);
    assert_true(b[3].type == BOUNDARY_PRESSURE_INLET && b[3].total_pressure.number == 4 && b[3].pressure.number == 4);
    const struct initial_setting *i = &c.flow.initial;
    const char *slash = strrchr(i->file, '/');                  /* beside the case */
    assert_true(slash && !strcmp(slash, "/other.out") && !strncmp(i->file, every_key_coupled_path, (size_t)(slash -
                i->file)) && i->step == 20 && i->field == INITIAL_UNIFORM && i->place.line > 1 && !i->values);
    assert_true(c.mesh.transform.n_scale == 1 && c.mesh.transform.n_rotate == 1 && c.mesh.transform.rotate[0] == -90);
    case_free(&c);
    const char *nothing = "initial=";
    read_good(&c, every_key_coupled_path, &nothing, 1);
    b = c.flow.boundary.item;
    assert_true(b[4].total && b[4].pressure.number == -1 && b[4].backflow == BACKFLOW_NONE);
    assert_true(c.flow.initial.field == INITIAL_POTENTIAL);
    case_free(&c);
    const char *set = "solver.algorithm=coupled";               /* its defaults */
    write_case(0, NULL);
    read_good(&c, "c.cfg", &set, 1);
    assert_true(s->acceleration == 10 && l->method == METHOD_FGMRES && l->preconditioner == PRECONDITIONER_MULTIGRID);
    assert_true(l->restart == 10 && l->tolerance == 0.1 && l->max_iterations == 60);
    case_free(&c);
}

static void every_key_heat(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    read_good(&c, every_key_heat_path, NULL, 0);
    const struct fluid_setting *fluid = &f->fluid;
    const struct boundary_setting *b = f->boundary.item;
    const struct source_setting *s = f->sources.item;
    const struct viscosity_setting *v = &fluid->viscosity_model;
    assert_true(v->given && v->law == VISCOSITY_OF_FIELD && v->property.range[0] == 280 &&
                v->property.range[1] == 320 && v->property.middle == 1 &&
                viscosity_at_rate(&f->fluid.viscosity_model, 5) == 1);
    assert_string_equal(v->property.field, "temperature");
    assert_true(fluid->heat_capacity == 1000 && fluid->conductivity == 0.5 && fluid->expansion == 2e-4 &&
                fluid->reference_temperature == 293 && f->initial.temperature.number == 290);
    assert_true(b[0].temperature.number == 300 && b[1].heat_flux.number == -5 && b[2].n_transfer == 2 &&
                b[2].transfer[0].number == 10 && b[2].transfer[1].number == 280);
    assert_true(f->sources.n == 2 && s[0].heat.number == 7 && s[1].force_length == 2 && s[1].force[1].number == -2 &&
                s[1].resistance.number == 3);
    assert_string_equal(s[0].region, "block");
    const struct scalar_setting *t = &f->scalars.item[0];       /* made of them */
    assert_true(f->heat.given && f->scalars.n == 1 && t->capacity == 2000 && t->diffusivity == 0.5 / 2000 &&
                t->initial.number == 290 && t->convection == CONVECTION_VAN_LEER);
    assert_true(scalar_setting_find(t->value, t->n_values, "left")->number == 300 &&
                scalar_setting_find(t->value, t->n_values, "top")->number == 280 && t->flux[0].value.number == -5 &&
                t->coefficient[0].value.number == 10 && t->source[0].value.number == 7);
    const struct solid_setting *solid = f->solids.item;
    assert_true(f->solids.n == 1 && solid->density == 3 && solid->heat_capacity == 400 && solid->conductivity == 15 &&
                solid->contact_resistance == 0.25 && boundary_setting_find(&f->boundary, "block")->place.line == 7);
    assert_true(f->buoyancy.given && f->buoyancy.expansion == 2e-4 && f->buoyancy.reference == 293);
    assert_string_equal(f->buoyancy.scalar, "temperature");
    assert_true(c.nusselt.given && c.nusselt.length == 2 && c.nusselt.temperature_difference == 20 &&
                c.nusselt.reference == 8);
    case_free(&c);
}

/* Solids alone: steady without a section `time`, else in time. */
static void conduction(void **state)
{
    (void)state;
    struct case_settings c;
    const struct scalar_setting *t;
    write_case(2, "solids = { plate = { density = 3; heat_capacity = 400; conductivity = 15; }; };");
    for (int in_time = 0; in_time < 2; in_time++) {
        const char *set[] = {"boundary.lid.velocity=", "boundary.lid.temperature=1", "time={end=1;step=0.1;}"};
        read_good(&c, "c.cfg", set, 2 + in_time);
        assert_true(c.flow.solver.algorithm == (in_time ? ALGORITHM_TRANSIENT_CONDUCTION : ALGORITHM_CONDUCTION));
        assert_true(flow_is_absent(&c.flow) && !flow_is_solved(&c.flow) && flow_is_transient(&c.flow) == in_time);
        t = c.flow.scalars.item;
        assert_true(c.flow.scalars.n == 1 && t->capacity == 1 && t->diffusivity == 1 && t->initial.number == 1);
        assert_true(c.output.n_fields == 1 && !strcmp(c.output.field[0], "temperature"));
        assert_null(strstr(c.source->listing, "viscosity"));
        case_free(&c);
    }
}

static void viscosity_models(void **state)
{
    (void)state;
    struct case_settings c;
    const struct viscosity_setting *v = &c.flow.fluid.viscosity_model;
    write_case(2, "fluid = { viscosity_model = { type = \"power-law\"; consistency = 2; exponent = 0.5; lowest = 0.25; "
               "highest = 8; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->given && v->law == VISCOSITY_POWER_LAW && v->consistency == 2 && v->exponent == 0.5);
    assert_true(viscosity_at_rate(v, 4) == 1 && viscosity_at_rate(v, 1e-9) == 8 && viscosity_at_rate(v, 1e9) == 0.25);
    assert_true(viscosity_at_rate(&c.flow.fluid.viscosity_model, 4) == 1 && !c.flow.second_fluid.viscosity_model.given);
    case_free(&c);
    write_case(2, "fluid = { viscosity = \"1 / (1 + shear_rate)\"; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->given && v->law == VISCOSITY_EXPRESSION && viscosity_at_rate(v, 3) == 0.25 &&
                c.flow.fluid.viscosity == 0);
    case_free(&c);
    write_case(2, "fluid = { viscosity = \"1 + dye/4\"; };\nscalars = { dye = { diffusivity = 1; initial = 2; "
               "values = { lid = 3; }; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->law == VISCOSITY_OF_FIELD && v->property.range[0] == 1 && v->property.range[1] == 4 &&
                v->property.middle == 1.625);
    assert_string_equal(v->property.field, "dye");
    case_free(&c);
    write_case(2, "fluid = { viscosity_model = { type = \"cross\"; zero = 3; time = 2; exponent = 1; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->law == VISCOSITY_CROSS && v->infinite == 0 && viscosity_at_rate(v, 1) == 1);
    case_free(&c);
    write_case(2, "fluid = { viscosity_model = { type = \"bingham\"; plastic_viscosity = 1; yield_stress = 2; "
               "regularisation = 100; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->law == VISCOSITY_BINGHAM && fabs(viscosity_at_rate(v, 4) - 1.5) < 1e-12 &&
                fabs(viscosity_at_rate(v, 1e-12) - 201) < 1e-6);
    case_free(&c);
    write_case(2, "fluid = { viscosity_model = { type = \"herschel-bulkley\"; consistency = 1; exponent = 0.5; "
               "yield_stress = 2; regularisation = 100; }; };\nsecond_fluid = { density = 2; viscosity_model = { "
               "type = \"power-law\"; consistency = 4; exponent = 1; }; };\nsolver = { algorithm = \"piso\"; };\n"
               "time = { end = 1; step = 0.1; };\nshapes = { s = { type = \"half-space\"; "
               "point = [0, 0]; normal = [0, 1]; }; };");
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(v->law == VISCOSITY_HERSCHEL_BULKLEY && fabs(viscosity_at_rate(v, 4) - 1) < 1e-12);
    assert_true(c.flow.second_fluid.viscosity_model.given &&
                viscosity_at_rate(&c.flow.second_fluid.viscosity_model, 4) == 4);
    case_free(&c);
}

static void every_key_transient(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    const struct solver_setting *s = &c.flow.solver;
    read_good(&c, every_key_transient_path, NULL, 0);
    assert_true(f->fluid.gravity_length == 2 && f->fluid.gravity[0] == 0.1 && f->fluid.gravity[1] == -0.98 &&
                flow_is_transient(&c.flow));
    const struct viscosity_setting *v = &f->second_fluid.viscosity_model;
    assert_true(f->second_fluid.given && f->second_fluid.density == 100 && v->law == VISCOSITY_OF_FIELD &&
                v->property.range[0] == 1 && v->property.range[1] == 3);
    assert_true(f->second_fluid.surface_tension == 24.5 && f->second_fluid.surface_tension_slope == -0.25 &&
                f->second_fluid.tension_reference == 290);
    const struct scalar_setting *heat_of_both = &f->scalars.item[2];
    assert_true(heat_of_both->fluid == SCALAR_HEAT && heat_of_both->capacity == 4000 &&
                heat_of_both->diffusivity == 0.5 / 4000 && heat_of_both->second_capacity == 0.05 &&
                heat_of_both->second_diffusivity == 0.25 / 4000 && heat_of_both->convection == SCALAR_LIMITED);
    assert_true(f->buoyancy.given && f->buoyancy.second_expansion == 2e-3);
    assert_true(f->interface.curvature_given && f->interface.given_curvature == 4);
    assert_int_equal(f->shapes.n, 4);
    assert_string_equal(f->shapes.item[3].function.text, "y - 0.5 - 0.01*cos(2*pi*x)");
    const struct shape_setting *sphere = &f->shapes.item[0], *box = &f->shapes.item[1], *half = &f->shapes.item[2];
    assert_string_equal(box->name, "water");
    assert_true(sphere->type == SHAPE_SPHERE && sphere->centre[1] == 0.25 && sphere->radius == 0.125 &&
                sphere->length == 2);
    assert_true(sphere->copies[0] == 2 && sphere->copies[1] == 3 && sphere->copies[2] == 1 &&
                sphere->spacing[1] == 0.25);
    assert_true(box->type == SHAPE_BOX && box->from[0] == 0 && box->to[1] == 1 && box->copies[0] == 1 &&
                box->remove == 0);
    assert_true(half->type == SHAPE_HALF_SPACE && half->point[1] == 0.75 && half->normal[1] == -2 && half->remove == 1);
    assert_true(f->boundary.item[0].fraction.number == 0.25 && f->boundary.item[1].fraction.number == 1 &&
                f->boundary.item[1].backflow == BACKFLOW_STATIC &&
                f->boundary.item[2].contact_angle == 60);
    assert_true(f->initial.field == INITIAL_TAYLOR_GREEN && s->algorithm == ALGORITHM_PIMPLE);
    assert_true(s->correctors == 3 && s->outer_correctors == 4 && s->non_orthogonal_correctors == 1);
    assert_true(s->pressure.k_levels == 3 && s->pressure.pairings == 2);
    assert_true(f->time.given && f->time.end == 3 && f->time.step == 1e-3 && f->time.scheme == TIME_BDF2);
    assert_true(f->time.courant == 0.5 && f->time.interface_courant == 0.25 && f->time.capillary == 0.75 &&
                f->time.max_steps == 40);
    const struct scalar_setting *dye = &f->scalars.item[0], *heat = &f->scalars.item[1];
    assert_true(f->scalars.n == 3 && dye->diffusivity == 1e-9 && dye->initial.number == 0.5 &&
                dye->fluid == SCALAR_IN_SECOND && dye->convection == CONVECTION_UPWIND && dye->n_values == 2 &&
                dye->value[1].value.number == 2.5);
    assert_string_equal(dye->value[0].name, "left");
    assert_true(heat->convection == SCALAR_LIMITED && heat->fluid == SCALAR_IN_BOTH && heat->n_fluxes == 1 &&
                heat->flux[0].value.number == -1 && heat->n_coefficients == 1 &&
                heat->coefficient[0].value.number == 4);
    assert_true(heat->n_zone_initials == 1 && heat->zone_initial[0].value.number == 5 && heat->n_sources == 1 &&
                heat->source[0].value.number == -6);
    assert_true(heat->n_values == 2 && scalar_setting_find(heat->value, 2, "left")->number == 7);
    assert_true(c.output.n_times == 2 && c.output.time[0] == 0.25 && c.output.time[1] == 2);
    assert_true(c.averages.given && c.averages.from == 1.5 && c.averages.n_fields == 2);
    assert_string_equal(c.averages.field[1], "fraction");
    assert_true(c.output.interval == 0.5 && c.output.n_fields == 6 && c.bubbles.given && c.bubbles.every == 10);
    assert_string_equal(c.output.field[1], "reduced-pressure");
    case_free(&c);
}

/* Surface tension by an expression counts as the largest one within the range of the temperature, here from -1 to 2. */
static void law_of_tension(void **state)
{
    (void)state;
    struct case_settings c;
    read_good(&c, drop_path, NULL, 0);
    const struct second_fluid_setting *second = &c.flow.second_fluid;
    assert_true(second->tension_law.given && fabs(second->surface_tension - 1.18) < 1e-14);
    case_free(&c);
}

static void defaults_transient(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    const struct solver_setting *s = &c.flow.solver;
    write_case(5, transient);
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(s->algorithm == ALGORITHM_PISO && s->correctors == 0 && s->outer_correctors == 1 &&
                !f->second_fluid.given);
    assert_true(f->time.scheme == TIME_BDF2 && f->time.courant == 0 && f->time.capillary == 0 &&
                f->time.max_steps == 0);
    assert_true(s->pressure.tolerance == 1e-4 && s->velocity.tolerance == 1e-4 && f->fluid.gravity_length == 0 &&
                c.output.interval == 0);
    assert_true(f->initial.field == INITIAL_UNIFORM && c.output.n_fields == 2 && !c.bubbles.given &&
                !f->prescribed.given);
    case_free(&c);
    write_case(5, two_phase);
    read_good(&c, "c.cfg", NULL, 0);
    assert_true(f->second_fluid.given && f->second_fluid.surface_tension == 0);
    assert_true(!f->interface.curvature_given && c.output.n_fields == 3);
    assert_int_equal(s->convection, CONVECTION_VAN_LEER);
    assert_true(f->boundary.item[0].contact_angle == 90 && f->shapes.item[0].copies[2] == 1);
    assert_string_equal(c.output.field[2], "fraction");
    case_free(&c);
    const char *advection[] = {"solver.algorithm=advection", "prescribed.field=rotation"};
    read_good(&c, "c.cfg", advection, 2);
    assert_true(s->algorithm == ALGORITHM_ADVECTION && f->prescribed.given &&
                f->prescribed.field == PRESCRIBED_ROTATION);
    assert_true(f->prescribed.period == 0);
    case_free(&c);
}

/* total, except with one fluid driven only by outlets. */
static void backflow_by_default(void **state)
{
    (void)state;
    static const char in_time[] = "time = { end = 1; step = 0.1; }; solver = { algorithm = \"piso\"; };",
                      two[] = "time = { end = 1; step = 0.1; }; solver = { algorithm = \"piso\"; }; second_fluid = { "
                              "density = 2; viscosity = 1; }; shapes = { s = { type = \"sphere\"; centre = [0, 0]; "
                              "radius = 1; }; };";
    static const struct { const char *pressure, *first, *rest; enum backflow_rule rule; } row[] = {
        {"0", "wall", in_time, BACKFLOW_TOTAL}, {"1", "wall", in_time, BACKFLOW_STATIC},
        {"1", "inlet\"; velocity = [1, 0]; profile = \"uniform", in_time, BACKFLOW_TOTAL},
        {"1", "wall", two, BACKFLOW_TOTAL}, {"0", "wall", "", BACKFLOW_TOTAL}, {"1", "wall", "", BACKFLOW_STATIC}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct case_settings c;
        char text[1000];
        snprintf(text, sizeof text, "mesh = { file = \"cavity.geo\"; }; fluid = { viscosity = 0.001; };\n"
                 "boundary = { a = { type = \"%s\"; }; b = { type = \"outlet\"; }; c = { "
                 "type = \"outlet\"; pressure = %s; }; }; %s", row[i].first, row[i].pressure, row[i].rest);
        write_file("c.cfg", text);
        read_good(&c, "c.cfg", NULL, 0);
        assert_true(c.flow.boundary.item[1].backflow == row[i].rule && c.flow.boundary.item[2].backflow == row[i].rule);
        case_free(&c);
    }
}

static void from_command_line(void **state)
{
    (void)state;
    struct case_settings c;
    const struct flow_setting *f = &c.flow;
    const struct solver_setting *s = &c.flow.solver;
    const char *set[] = {"fluid.viscosity=0.0025",
                         "boundary.lid.velocity=[2.0,0.0]",
                         "mesh.parameters.h=0.01",
                         "mesh.file=2.msh",
                         "mesh.file=new.geo",
                         "solver.algorithm=simple",
                         "solver.pressure.inner=cg",
                         "solver.pressure.preconditioner=block-jacobi",
                         "output.directory=17",
                         "boundary.out.type=\"outlet\"",
                         "output.fields=[\"pressure\"]"};
    write_case(0, NULL);
    read_good(&c, "c.cfg", set, sizeof set / sizeof *set);
    assert_true(f->fluid.viscosity == 0.0025 && f->boundary.item[0].velocity[0].number == 2 &&
                f->boundary.item[0].velocity[1].number == 0);
    assert_true(c.mesh.n_parameters == 1 && c.mesh.parameter[0].value == 0.01);
    assert_true(s->pressure.inner == INNER_CG && s->pressure.inner_sweeps == 4);
    assert_string_equal(c.mesh.parameter[0].name, "h");
    assert_string_equal(c.mesh.file, "new.geo");
    assert_string_equal(c.output.directory, "17");
    assert_true(s->relaxation_velocity == 0.7 && f->boundary.n == 3 && f->boundary.item[2].type == BOUNDARY_OUTLET &&
                c.output.n_fields == 1);
    case_free(&c);
}

int main(void)
{
    every_key_path = realpath("tests/data/every_key.cfg", NULL);
    every_key_transient_path = realpath("tests/data/every_key_transient.cfg", NULL);
    every_key_coupled_path = realpath("tests/data/every_key_coupled.cfg", NULL);
    every_key_heat_path = realpath("tests/data/every_key_heat.cfg", NULL);
    drop_path = realpath("tests/data/models/drop.cfg", NULL);
    if (!every_key_path || !every_key_transient_path || !every_key_coupled_path || !every_key_heat_path || !drop_path)
        return perror("tests/data/every_key*.cfg"), 1;
    const struct CMUnitTest tests[] = {cmocka_unit_test(defaults), cmocka_unit_test(every_key),
                                       cmocka_unit_test(backflow_by_default),
                                       cmocka_unit_test(every_key_transient),
                                       cmocka_unit_test(every_key_coupled), cmocka_unit_test(every_key_heat),
                                       cmocka_unit_test(every_key_coupled), cmocka_unit_test(conduction),
                                       cmocka_unit_test(viscosity_models),
                                       cmocka_unit_test(law_of_tension), cmocka_unit_test(defaults_transient),
                                       cmocka_unit_test(from_command_line)};
    int failed = cmocka_run_group_tests_name("case_settings", tests, enter_folder, remove_folder);
    free(every_key_path);
    free(every_key_transient_path);
    free(every_key_coupled_path);
    free(every_key_heat_path);
    free(drop_path);
    return failed;
}
