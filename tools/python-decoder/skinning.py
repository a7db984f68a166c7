"""Section 13: from bones to vertices."""

import math

from algebra import (affine, affine_of_dual, cofactors, columns_of, compose, cross, determinant, dot, inverse, lerp,
                    linear, normalise, plus, quat_of_columns, quat_product, slerp_positions, times, transform,
                    translation_of, weighted)


class Skin:
    def __init__(self, skin, inverse_binds, joints):
        self.joints, self.inverse_binds = skin["joints"], inverse_binds
        first_entry = {}
        for entry, joint in enumerate(self.joints):
            first_entry.setdefault(joint, entry)
        self.parents = []
        for joint in self.joints:
            parent = joints[joint]["parent"]
            while parent is not None and parent not in first_entry:
                parent = joints[parent]["parent"]
            self.parents.append(None if parent is None else first_entry[parent])
        inverses = [inverse(m) for m in self.inverse_binds]
        self.bind = [translation_of(m) if m else [0.0, 0.0, 0.0] for m in inverses]

    def palette(self, model_from_joint):
        return [compose(model_from_joint[j], m) for j, m in zip(self.joints, self.inverse_binds)]

    def centre(self, pairs, model_from_joint):
        """Where the bones of a vertex are."""
        at = (times(translation_of(model_from_joint[self.joints[e]]), w) for e, w in pairs)
        return [sum(numbers) for numbers in zip(*at)]

    def split(self, palette):
        """Rigid parts and stretches of a palette: scale in two phases."""
        order = sorted(range(len(palette)), key=lambda e: self.joints[e])
        turns, sizes, mirrors = {}, {}, {}
        for e in order:
            turns[e], sizes[e], mirrors[e] = polar(palette[e], mirrors.get(self.parents[e]))
        roots = sorted(abs(determinant(sizes[e])) ** (1 / 3) for e in order if self.parents[e] is None)
        root_size = roots[len(roots) // 2]
        rigid, stretch = [None] * len(palette), [None] * len(palette)
        for e in order:
            c, parent = self.bind[e], self.parents[e]
            moved = times(c, root_size) if parent is None else transform(stretch[parent], c)
            here = transform(sizes[e], c, 0.0)
            turned = transform(turns[e], moved, 0.0)
            stretch[e] = affine(columns_of(sizes[e]), plus(moved, times(here, -1)))
            rigid[e] = affine(columns_of(turns[e]), plus(transform(palette[e], c), times(turned, -1)))
        return rigid, stretch


def polar(m, parents_mirror):
    """A proper rotation and what comes before it, both linear, and the reflection in that (None: none)."""
    v = eigenvectors(m)
    w = [transform(m, a, 0.0) for a in v]
    u0 = normalise(w[0], v[0])
    u1 = plus(w[1], times(u0, -dot(u0, w[1])))
    u1 = normalise(u1, normalise(cross(u0, v[2]), v[1]))
    u = [u0, u1, cross(u0, u1)]
    s = [math.sqrt(dot(w[0], w[0])), math.sqrt(dot(w[1], w[1])), dot(u[2], w[2])]
    to_v = linear(list(zip(*v)))
    size = compose(linear([times(a, abs(k)) for a, k in zip(v, s)]), to_v)
    if s[2] >= 0:
        return compose(linear(u), to_v), size, None
    flipped = compose(linear([u[0], u[1], times(u[2], -1)]), to_v)
    mirror = parents_mirror or reflection(flipped)
    return compose(flipped, mirror), compose(mirror, size), mirror


def reflection(flipped):
    x, y, z, _ = quat_of_columns(columns_of(times(flipped, -1)))
    if x * x + y * y + z * z <= 0.5:
        return linear([[-1, 0, 0], [0, -1, 0], [0, 0, -1]])
    a = normalise([x, y, z], (1, 0, 0))
    return linear([[(i == j) - 2 * a[i] * a[j] for i in range(3)] for j in range(3)])


def eigenvectors(m):
    """Of the linear part times its transpose from the left, largest value first, right-handed. Jacobi's way."""
    columns = columns_of(m)
    a = [[dot(c, d) for d in columns] for c in columns]
    v = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    for p, q in [(0, 1), (0, 2), (1, 2)] * 12:
        if a[p][q] != 0:
            angle = math.atan2(2 * a[p][q], a[p][p] - a[q][q]) / 2
            c, s = math.cos(angle), math.sin(angle)
            v[p], v[q] = plus(times(v[p], c), times(v[q], s)), plus(times(v[q], c), times(v[p], -s))
            moved = [[sum(columns[k][r] * x[k] for k in range(3)) for r in range(3)] for x in v]
            a = [[dot(x, y) for y in moved] for x in moved]
    order = sorted(range(3), key=lambda k: -a[k][k])
    first, second = v[order[0]], v[order[1]]
    return [first, second, cross(first, second)]


def dual_quat(m):
    real = quat_of_columns(columns_of(m))
    return real + times(quat_product(translation_of(m) + [0.0], real), 0.5)


def blended_dual(duals, pairs, by_pivot):
    pivot = duals[pairs[0][0]]
    total = [0.0] * 8
    for e, w in pairs:
        turn = by_pivot and dot(duals[e][:4], pivot[:4]) < 0
        total = plus(total, times(duals[e], -w if turn else w))
    return affine_of_dual(total if dot(total[:4], total[:4]) > 0 else pivot)


class Skinning:
    """The matrix of any vertex of one skin in one pose."""

    def __init__(self, skin, model_from_joint):
        self.skin = skin
        self.palette = skin.palette(model_from_joint)
        self.parts = None

    def lbs(self, pairs):
        return weighted((w, self.palette[e]) for e, w in pairs)

    def dqs(self, pairs, method="dqs"):
        if self.parts is None:
            rigid, stretch = self.skin.split(self.palette)
            self.parts = rigid, stretch, [dual_quat(m) for m in rigid], {}
        rigid, stretch, duals, aligned = self.parts
        if method == "dqs-sum":
            turn = weighted((w, rigid[e]) for e, w in pairs)
        elif method == "dqs-direct":
            turn = blended_dual(aligned or self.align(duals, aligned), pairs, False)
        else:
            turn = blended_dual(duals, pairs, method == "dqs")
        return compose(turn, weighted((w, stretch[e]) for e, w in pairs))

    def align(self, duals, aligned):
        """Signs by the parent's, parents first."""
        for e in sorted(range(len(duals)), key=lambda e: self.skin.joints[e]):
            parent = aligned.get(self.skin.parents[e])
            turn = parent is not None and dot(duals[e][:4], parent[:4]) < 0
            aligned[e] = times(duals[e], -1 if turn else 1)
        return aligned

    def vertex(self, method, factor, pairs, position, normal):
        if method == "lbs":
            return moved(self.lbs(pairs), position, normal)
        if method == "blend":
            m = weighted([(1 - factor, self.lbs(pairs)), (factor, self.dqs(pairs))])
            return moved(m, position, normal)
        if method == "blend-positions":
            p, n = moved(self.lbs(pairs), position, normal)
            q, o = moved(self.dqs(pairs), position, normal)
            return lerp(p, q, factor), normalise(lerp(n, o, factor), normal)
        return moved(self.dqs(pairs, method), position, normal)


def moved(m, position, normal):
    return transform(m, position), normalise(transform(linear(cofactors(m)), normal, 0.0), normal)


def slerp_vertices(part, skin, skinned, models, f):
    """Between the part as skinned at two frames, whose bones are in `models`."""
    centres = ([skin.centre(pairs, model) for model in models] for pairs in part.influences)
    (from_positions, from_normals), (to_positions, to_normals) = skinned
    positions = []
    for a, b, (from_centre, to_centre) in zip(from_positions, to_positions, centres):
        arms = [plus(p, times(c, -1)) for p, c in ((a, from_centre), (b, to_centre))]
        positions.append(plus(lerp(from_centre, to_centre, f), slerp_positions(*arms, f)))
    return positions, [normalise(slerp_positions(a, b, f), a) for a, b in zip(from_normals, to_normals)]


def skin_part(part, skinning, method, weights):
    """Positions and normals of a part's vertices."""
    name, _, factor = method.partition(":")
    if name in ("cor", "dqs-bulge-free", "sclerp"):
        raise ValueError(f"the skinning method {name} of bones is unsupported: bake with --encoding vertex")
    by_vertex = factor == "auto"
    factors = part.factors if by_vertex else [float(factor or 0)] * len(part.positions)
    if name == "as-authored":
        known = {"linear": "lbs", "rigid": "lbs", "dual_quaternion": "dqs", "blended": "blend"}
        name, factors = known[part.authored_method], part.factors
    positions, normals = part.morphed(weights)
    posed = [skinning.vertex(name, *each) for each in zip(factors, part.influences, positions, normals)]
    return [p for p, _ in posed], [n for _, n in posed]
