// The cars of peer_bullet.h: each is a btRaycastVehicle on hills that are a height field.
#include "peer_bullet.h"

#include <BulletCollision/CollisionShapes/btHeightfieldTerrainShape.h>
#include <btBulletDynamicsCommon.h>

#include <cmath>
#include <memory>
#include <vector>

namespace {

constexpr int CARS_GROUP = btBroadphaseProxy::DefaultFilter;
constexpr int GROUND_GROUP = btBroadphaseProxy::StaticFilter;

// btDefaultVehicleRaycaster tries rays against everything, its own chassis first. This one does
// what programs do that know better.
class ground_raycaster : public btDefaultVehicleRaycaster {
  public:
    explicit ground_raycaster(btDynamicsWorld *world)
        : btDefaultVehicleRaycaster(world), world_(world) {}

    void *castRay(const btVector3 &from, const btVector3 &to,
                  btVehicleRaycasterResult &result) override {
        btCollisionWorld::ClosestRayResultCallback ray(from, to);
        ray.m_collisionFilterMask = GROUND_GROUP;
        world_->rayTest(from, to, ray);
        if (!ray.hasHit()) {
            return nullptr;
        }
        const btRigidBody *body = btRigidBody::upcast(ray.m_collisionObject);
        result.m_hitPointInWorld = ray.m_hitPointWorld;
        result.m_hitNormalInWorld = ray.m_hitNormalWorld.normalized();
        result.m_distFraction = ray.m_closestHitFraction;
        return const_cast<btRigidBody *>(body);
    }

  private:
    btDynamicsWorld *world_;
};

struct vehicle {
    std::unique_ptr<btBoxShape> shape;
    std::unique_ptr<btRigidBody> chassis;
    std::unique_ptr<btRaycastVehicle> wheels;
    btScalar force_n_max;
};

btScalar scalar(double value) {
    return static_cast<btScalar>(value);
}

} // namespace

struct peer_bullet {
    btDefaultCollisionConfiguration configuration;
    std::unique_ptr<btCollisionDispatcher> dispatcher;
    std::unique_ptr<btBroadphaseInterface> broadphase;
    btSequentialImpulseConstraintSolver solver;
    std::unique_ptr<btDiscreteDynamicsWorld> world;
    std::unique_ptr<btVehicleRaycaster> raycaster;

    std::vector<float> heights;
    std::vector<btVector3> corners;
    std::vector<int> triangles;
    std::unique_ptr<btTriangleIndexVertexArray> mesh;
    std::unique_ptr<btCollisionShape> ground_shape;
    std::unique_ptr<btRigidBody> ground;

    std::vector<vehicle> cars;
};

namespace {

// Heights at the corners of side by side cells, row by row from (-half, -half).
int sample_heights(peer_bullet &peer, const peer_scene &scene) {
    const double cell = scene.setup.cell_m;
    const int nodes = 2 * static_cast<int>(std::ceil(scene.half_m / cell)) + 1;
    const double first = -0.5 * (nodes - 1) * cell;
    for (int row = 0; row < nodes; row++) {
        for (int column = 0; column < nodes; column++) {
            const double x = first + column * cell, y = first + row * cell;
            peer.heights.push_back(static_cast<float>(scene.height(scene.height_ctx, x, y)));
        }
    }
    return nodes;
}

void lay_mesh(peer_bullet &peer, const peer_scene &scene) {
    const int nodes = sample_heights(peer, scene);
    const double cell = scene.setup.cell_m, first = -0.5 * (nodes - 1) * cell;
    for (int i = 0; i < nodes * nodes; i++) {
        peer.corners.emplace_back(scalar(first + i % nodes * cell),
                                  scalar(first + i / nodes * cell),
                                  peer.heights[static_cast<size_t>(i)]);
    }
    for (int row = 0; row + 1 < nodes; row++) {
        for (int column = 0; column + 1 < nodes; column++) {
            const int a = row * nodes + column, b = a + 1, c = a + nodes, d = c + 1;
            const int pair[] = {a, b, d, a, d, c};
            peer.triangles.insert(peer.triangles.end(), pair, pair + 6);
        }
    }
    peer.mesh = std::make_unique<btTriangleIndexVertexArray>(
        static_cast<int>(peer.triangles.size() / 3), peer.triangles.data(),
        static_cast<int>(3 * sizeof(int)), nodes * nodes,
        reinterpret_cast<btScalar *>(peer.corners.data()), static_cast<int>(sizeof(btVector3)));
    peer.ground_shape = std::make_unique<btBvhTriangleMeshShape>(peer.mesh.get(), true);
}

// Bullet puts a height field's origin half-way between its lowest and its highest point.
btScalar lay_heightfield(peer_bullet &peer, const peer_scene &scene) {
    const int nodes = sample_heights(peer, scene);
    float low = peer.heights[0], high = low;
    for (float height : peer.heights) {
        low = std::min(low, height);
        high = std::max(high, height);
    }
    auto field = std::make_unique<btHeightfieldTerrainShape>(nodes, nodes, peer.heights.data(), low,
                                                             high, 2, false);
    const btScalar cell = scalar(scene.setup.cell_m);
    field->setLocalScaling(btVector3(cell, cell, 1));
    field->buildAccelerator();
    peer.ground_shape = std::move(field);
    return scalar(0.5) * (low + high);
}

void lay_ground(peer_bullet &peer, const peer_scene &scene) {
    btScalar z = 0;
    switch (scene.setup.ground) {
    case PEER_GROUND_MESH:
        lay_mesh(peer, scene);
        break;
    case PEER_GROUND_HEIGHTFIELD:
        z = lay_heightfield(peer, scene);
        break;
    case PEER_GROUND_PLANE:
        peer.ground_shape = std::make_unique<btStaticPlaneShape>(btVector3(0, 0, 1), scalar(0));
        break;
    }
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, peer.ground_shape.get());
    info.m_startWorldTransform.setOrigin(btVector3(0, 0, z));
    peer.ground = std::make_unique<btRigidBody>(info);
    peer.world->addRigidBody(peer.ground.get(), GROUND_GROUP, ~GROUND_GROUP);
}

// Springs of 1.8 Hz with 0.3 of critical damping in bump and 0.5 in rebound; Bullet scales all
// three by the chassis' mass. Grip is that of our tyres on asphalt, 1.
void add_wheels(btRaycastVehicle &wheels, const peer_car &car) {
    btRaycastVehicle::btVehicleTuning tuning;
    const btScalar stiffness = 32;
    tuning.m_suspensionStiffness = stiffness;
    tuning.m_suspensionCompression = scalar(0.3 * 2) * std::sqrt(stiffness);
    tuning.m_suspensionDamping = scalar(0.5 * 2) * std::sqrt(stiffness);
    tuning.m_maxSuspensionTravelCm = 20;
    tuning.m_maxSuspensionForce = scalar(car.mass_kg * 20);
    tuning.m_frictionSlip = 1;
    const btScalar rest_m = scalar(0.3), sag_m = scalar(9.81) / (4 * stiffness);
    const btScalar z = scalar(car.wheel_radius_m - car.com_height_m) + rest_m - sag_m;
    for (int i = 0; i < 4; i++) {
        const bool front = i < 2;
        const btScalar side = scalar(i % 2 == 0 ? -0.5 : 0.5);
        const btVector3 joint(side * scalar(car.track_width_m),
                              scalar(front ? car.front_x_m : car.rear_x_m), z);
        wheels.addWheel(joint, btVector3(0, 0, -1), btVector3(1, 0, 0), rest_m,
                        scalar(car.wheel_radius_m), tuning, front);
        wheels.getWheelInfo(i).m_rollInfluence = scalar(0.1);
    }
}

} // namespace

peer_bullet *peer_bullet_create(const peer_scene *scene) {
    auto peer = std::make_unique<peer_bullet>();
    peer->dispatcher = std::make_unique<btCollisionDispatcher>(&peer->configuration);
    if (scene->setup.sweep_3d) {
        const btVector3 corner(scalar(scene->half_m), scalar(scene->half_m), 100);
        peer->broadphase = std::make_unique<btAxisSweep3>(-corner, corner);
    } else {
        peer->broadphase = std::make_unique<btDbvtBroadphase>();
    }
    peer->world = std::make_unique<btDiscreteDynamicsWorld>(
        peer->dispatcher.get(), peer->broadphase.get(), &peer->solver, &peer->configuration);
    peer->world->setGravity(btVector3(0, 0, scalar(-9.81)));
    // The ground never moves: its box need not be computed anew in each step.
    peer->world->setForceUpdateAllAabbs(false);
    if (scene->setup.rays_to_ground) {
        peer->raycaster = std::make_unique<ground_raycaster>(peer->world.get());
    } else {
        peer->raycaster = std::make_unique<btDefaultVehicleRaycaster>(peer->world.get());
    }
    lay_ground(*peer, *scene);
    return peer.release();
}

void peer_bullet_add(peer_bullet *peer, const peer_car *car, const peer_pose *at) {
    vehicle made;
    made.shape = std::make_unique<btBoxShape>(btVector3(
        scalar(0.5 * car->width_m), scalar(0.5 * car->length_m), scalar(0.5 * car->height_m)));
    const btScalar mass_kg = scalar(car->mass_kg);
    btVector3 inertia;
    made.shape->calculateLocalInertia(mass_kg, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass_kg, nullptr, made.shape.get(), inertia);
    // Bullet's car looks along y.
    info.m_startWorldTransform.setRotation(
        btQuaternion(btVector3(0, 0, 1), scalar(at->yaw_rad - SIMD_HALF_PI)));
    const btVector3 above(scalar(at->x_m), scalar(at->y_m), 50);
    btCollisionWorld::ClosestRayResultCallback down(above, above - btVector3(0, 0, 100));
    peer->world->rayTest(above, above - btVector3(0, 0, 100), down);
    info.m_startWorldTransform.setOrigin(down.m_hitPointWorld +
                                         btVector3(0, 0, scalar(car->com_height_m)));
    made.chassis = std::make_unique<btRigidBody>(info);
    made.chassis->setActivationState(DISABLE_DEACTIVATION);
    made.chassis->setLinearVelocity(scalar(at->speed_mps) * btVector3(scalar(std::cos(at->yaw_rad)),
                                                                      scalar(std::sin(at->yaw_rad)),
                                                                      0));
    peer->world->addRigidBody(made.chassis.get(), CARS_GROUP, CARS_GROUP | GROUND_GROUP);
    made.wheels = std::make_unique<btRaycastVehicle>(btRaycastVehicle::btVehicleTuning(),
                                                     made.chassis.get(), peer->raycaster.get());
    made.wheels->setCoordinateSystem(0, 2, 1);
    add_wheels(*made.wheels, *car);
    made.force_n_max = mass_kg * scalar(0.5 * 9.81);
    peer->world->addVehicle(made.wheels.get());
    peer->cars.push_back(std::move(made));
}

void peer_bullet_drive(peer_bullet *peer, uint32_t car, double steer_rad, double throttle) {
    const vehicle &driven = peer->cars[car];
    for (int i = 0; i < 2; i++) {
        driven.wheels->setSteeringValue(scalar(steer_rad), i);
        driven.wheels->applyEngineForce(scalar(0.5 * throttle) * driven.force_n_max, 2 + i);
    }
}

void peer_bullet_step(peer_bullet *peer, double dt_s) {
    peer->world->stepSimulation(scalar(dt_s), 0);
}

peer_pose peer_bullet_pose(const peer_bullet *peer, uint32_t car) {
    const vehicle &asked = peer->cars[car];
    const btTransform &at = asked.chassis->getWorldTransform();
    const btVector3 forward = at.getBasis().getColumn(1);
    peer_pose pose = {};
    pose.x_m = at.getOrigin().x();
    pose.y_m = at.getOrigin().y();
    pose.yaw_rad = std::atan2(forward.y(), forward.x());
    pose.speed_mps = asked.chassis->getLinearVelocity().dot(forward);
    for (int i = 0; i < asked.wheels->getNumWheels(); i++) {
        pose.wheels_touching += asked.wheels->getWheelInfo(i).m_raycastInfo.m_isInContact;
    }
    return pose;
}

void peer_bullet_destroy(peer_bullet *peer) {
    for (vehicle &car : peer->cars) {
        peer->world->removeVehicle(car.wheels.get());
        peer->world->removeRigidBody(car.chassis.get());
    }
    peer->world->removeRigidBody(peer->ground.get());
    delete peer;
}
