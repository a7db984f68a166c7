// The material of people: each has clothes, skin and hair of their own. Needs light.

fn clip_position(world_position: vec3<f32>) -> vec4<f32> {
    return camera.clip_from_world * vec4(world_position, 1.0);
}

// Colours that the humanoid is painted with.
const SKIN: vec3<f32> = vec3(0.76, 0.44, 0.29);
const HAIR: vec3<f32> = vec3(0.085, 0.038, 0.020);
const SHIRT: vec3<f32> = vec3(0.03, 0.40, 0.44);
const STRIPE: vec3<f32> = vec3(0.95, 0.74, 0.34);
const TROUSERS: vec3<f32> = vec3(0.075, 0.105, 0.24);
const SHOE: vec3<f32> = vec3(0.78, 0.18, 0.07);

fn trousers(kind: u32) -> vec3<f32> {
    var colors = array(
        vec3(0.030, 0.045, 0.10), vec3(0.018, 0.018, 0.022), vec3(0.36, 0.28, 0.19), vec3(0.10, 0.10, 0.11),
        vec3(0.055, 0.095, 0.20), vec3(0.10, 0.09, 0.05), vec3(0.17, 0.10, 0.06), vec3(0.45, 0.43, 0.40),
    );
    return colors[kind % 8u];
}

fn skin(kind: u32) -> vec3<f32> {
    var colors = array(
        vec3(0.72, 0.45, 0.33), vec3(0.60, 0.34, 0.22), vec3(0.42, 0.22, 0.13),
        vec3(0.24, 0.12, 0.07), vec3(0.76, 0.50, 0.38), vec3(0.12, 0.06, 0.04),
    );
    return colors[kind % 6u];
}

fn hair(kind: u32) -> vec3<f32> {
    var colors = array(
        vec3(0.012, 0.009, 0.008), vec3(0.045, 0.022, 0.012), vec3(0.11, 0.055, 0.022),
        vec3(0.36, 0.24, 0.10), vec3(0.30, 0.29, 0.28), vec3(0.020, 0.014, 0.011),
    );
    return colors[kind % 6u];
}

// The colour of the person in place of the painted one.
fn dressed(painted: vec3<f32>, shirt: vec3<f32>, user: u32) -> vec3<f32> {
    var nearest = distance(painted, SHIRT);
    var color = shirt;
    let stripe = distance(painted, STRIPE);
    if stripe < nearest {
        nearest = stripe;
        color = select(shirt, mix(shirt, vec3(0.8), 0.75), (user & 3u) == 0u);
    }
    let legs = distance(painted, TROUSERS);
    if legs < nearest {
        nearest = legs;
        color = trousers(user >> 2u);
    }
    let bare = distance(painted, SKIN);
    if bare < nearest {
        nearest = bare;
        color = skin(user >> 8u);
    }
    let head = distance(painted, HAIR);
    if head < nearest {
        nearest = head;
        color = hair(user >> 14u);
    }
    let foot = distance(painted, SHOE);
    if foot < nearest {
        color = select(vec3(0.03, 0.025, 0.02), vec3(0.45), ((user >> 20u) & 3u) == 0u);
    }
    return color;
}

@fragment
fn shade(in: VertexOut) -> @location(0) vec4<f32> {
    let normal = normalize(in.normal);
    let albedo = dressed(in.color.rgb, pow(in.tint.rgb, vec3(2.2)), in.user);
    // The ground and the others hide part of the sky from the legs.
    let open = mix(0.35, 1.0, smoothstep(0.0, 1.5, in.world_position.y));
    let to_eye = normalize(camera.eye.xyz - in.world_position);
    let edge = pow(1.0 - max(dot(normal, to_eye), 0.0), 3.0);
    let color = lit(albedo, normal, in.world_position, open) + 0.10 * open * edge * SKYLIGHT;
    return developed(color, in.world_position);
}
