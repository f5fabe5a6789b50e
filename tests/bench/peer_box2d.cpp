// The boxes of peer_box2d.h: each is a body of Box2D's, and a tick is one step of its world.
#include "peer_box2d.h"

#include <box2d/box2d.h>

#include <cmath>
#include <vector>

namespace {

// The iterations that Box2D's own programs and its manual use.
constexpr int32 VELOCITY_ITERATIONS = 8, POSITION_ITERATIONS = 3;

float number(double value) {
    return static_cast<float>(value);
}

} // namespace

struct peer_box2d {
    explicit peer_box2d(const peer_box &made) : box(made), world(b2Vec2(0, 0)) {}

    peer_box box;
    b2World world;
    std::vector<b2Body *> bodies;
};

// Nobody sleeps: ours never do, and drivers never let go. All else is as Box2D has it.
peer_box2d *peer_box2d_create(const peer_box *box) {
    auto *peer = new peer_box2d(*box);
    peer->world.SetAllowSleeping(false);
    return peer;
}

void peer_box2d_add(peer_box2d *peer, const peer_box_start *at) {
    const peer_box &box = peer->box;
    b2BodyDef def;
    def.type = b2_dynamicBody;
    def.position.Set(number(at->x_m), number(at->y_m));
    def.angle = number(at->yaw_rad);
    def.linearVelocity.Set(number(at->speed_mps * std::cos(at->yaw_rad)),
                           number(at->speed_mps * std::sin(at->yaw_rad)));
    b2PolygonShape shape;
    shape.SetAsBox(number(0.5 * box.length_m), number(0.5 * box.width_m));
    b2FixtureDef fixture;
    fixture.shape = &shape;
    fixture.density = number(box.mass_kg / (box.length_m * box.width_m));
    fixture.friction = number(box.friction);
    fixture.restitution = number(box.restitution);
    b2Body *body = peer->world.CreateBody(&def);
    body->CreateFixture(&fixture);
    b2MassData mass;
    mass.mass = number(box.mass_kg);
    mass.center.SetZero();
    mass.I = number(box.inertia_kgm2);
    body->SetMassData(&mass);
    peer->bodies.push_back(body);
}

void peer_box2d_pull(peer_box2d *peer) {
    const float force_n = number(peer->box.mass_kg * peer->box.pull_mps2);
    for (b2Body *body : peer->bodies) {
        const b2Vec2 at = body->GetPosition();
        const float near_m2 = 0.01F;
        body->ApplyForceToCenter(-force_n / std::sqrt(b2Dot(at, at) + near_m2) * at, true);
    }
}

void peer_box2d_step(peer_box2d *peer, double dt_s) {
    peer->world.Step(number(dt_s), VELOCITY_ITERATIONS, POSITION_ITERATIONS);
}

size_t peer_box2d_touching(const peer_box2d *peer) {
    size_t count = 0;
    for (const b2Contact *contact = peer->world.GetContactList(); contact != nullptr;
         contact = contact->GetNext()) {
        count += contact->IsTouching() ? 1 : 0;
    }
    return count;
}

void peer_box2d_destroy(peer_box2d *peer) {
    delete peer;
}
