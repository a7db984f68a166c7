"""Writes Alembic files for tests into a folder.

    python3 tools/alembic-reference/write.py FOLDER

The files are written by the package `alembic3d`, which wraps the library of the format. Each shows one thing that a
reader may get wrong; the functions say which.
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python_modules"))

import imath  # noqa: E402
from alembic3d import Abc, AbcCoreAbstract, AbcGeom  # noqa: E402

CORNER = AbcGeom.GeometryScope.kFacevaryingScope
POINT = AbcGeom.GeometryScope.kVertexScope
VARYING = AbcGeom.GeometryScope.kVaryingScope
FACE = AbcGeom.GeometryScope.kUniformScope
CONSTANT = AbcGeom.GeometryScope.kConstantScope

# A quad, a pentagon and a hexagon that is not convex, clockwise, over 12 points; the last is in no face.
COUNTS = [4, 5, 6]
INDICES = [0, 1, 2, 3, 3, 2, 4, 5, 6, 6, 5, 7, 8, 9, 10]
POINTS = [
    (0, 0, 0), (0, 1, 0), (1, 1, 0.1), (1, 0, 0),
    (1.5, 1.5, 0), (2, 1, 0.2), (2, 0, 0),
    (2.5, 1.5, 0), (3.5, 1.5, 0), (2.5, 1, 0), (3.5, 0, 0),
    (9, 9, 9),
]  # fmt: skip


def array(kind, rows):
    """Makes an array of imath; its constructor takes a size only."""
    made = kind(len(rows))
    for i, row in enumerate(rows):
        made[i] = row
    return made


def ints(numbers):
    return array(imath.IntArray, list(numbers))


def points_at(phase, points=POINTS):
    """Returns the points of a sample. Equal phases are equal points."""
    moved = [imath.V3f(x, y + 0.2 * math.sin(phase + x), z + 0.1 * phase) for x, y, z in points]
    return array(imath.V3fArray, moved)


def normals(count, phase):
    """Returns unit normals that turn with the phase."""
    angles = [0.3 * i + phase for i in range(count)]
    rows = [imath.V3f(0.6 * math.cos(a), 0.6 * math.sin(a), 0.8) for a in angles]
    return array(imath.V3fArray, rows)


def uvs(count):
    return array(imath.V2fArray, [imath.V2f(0.1 * i, 0.5 + 0.03 * i) for i in range(count)])


def indexed_values(phase):
    """Returns texture coordinates and normals per corner, from tables that are shorter than the corners."""
    unsigned = array(imath.UnsignedIntArray, [(3 * i) % 7 for i in range(len(INDICES))])
    uv = AbcGeom.OV2fGeomParamSample(uvs(7), unsigned, CORNER)
    normal = AbcGeom.ON3fGeomParamSample(normals(7, phase), unsigned, CORNER)
    return uv, normal


def point_values(phase):
    """Returns texture coordinates and normals per point, without indices."""
    uv = AbcGeom.OV2fGeomParamSample(uvs(len(POINTS)), POINT)
    return uv, AbcGeom.ON3fGeomParamSample(normals(len(POINTS), phase), POINT)


def corner_values(phase):
    """Returns texture coordinates and normals per corner, without indices."""
    uv = AbcGeom.OV2fGeomParamSample(uvs(len(INDICES)), CORNER)
    return uv, AbcGeom.ON3fGeomParamSample(normals(len(INDICES), phase), CORNER)


def values_of(scope, count):
    """Returns a function that makes texture coordinates and normals of a scope, without indices."""

    def make(phase):
        uv = AbcGeom.OV2fGeomParamSample(uvs(count), scope)
        return uv, AbcGeom.ON3fGeomParamSample(normals(count, phase), scope)

    return make


def moving_indices(phase):
    """Returns normals per corner from one table, with other indices in each sample."""
    shift = round(10 * phase)
    numbers = [(3 * i + shift * (i % 2)) % 7 for i in range(len(INDICES))]
    unsigned = array(imath.UnsignedIntArray, numbers)
    uv = AbcGeom.OV2fGeomParamSample(uvs(len(INDICES)), CORNER)
    return uv, AbcGeom.ON3fGeomParamSample(normals(7, 0.0), unsigned, CORNER)


def mesh(parent, name, sampling, phases, values=None, counts=COUNTS, indices=INDICES):
    """Adds a mesh with a sample per phase."""
    made = AbcGeom.OPolyMesh(parent, name)
    schema = made.getSchema()
    schema.setTimeSampling(sampling)
    for phase in phases:
        given = values(phase) if values else ()
        sample = AbcGeom.OPolyMeshSchemaSample(
            points_at(phase), ints(indices), ints(counts), *given
        )
        schema.set(sample)
    return made


def xform(parent, name, sampling, samples, inherits=True):
    """Adds a transform. A sample is a list of operations: a kind, and its values."""
    made = AbcGeom.OXform(parent, name)
    schema = made.getSchema()
    schema.setTimeSampling(sampling)
    for ops in samples:
        sample = AbcGeom.XformSample()
        sample.setInheritsXforms(inherits)
        for kind, *values in ops:
            sample.addOp(AbcGeom.XformOp(kind, 0), *values)
        schema.set(sample)
    return made


KIND = AbcGeom.XformOperationType


def moves(count, turn=20.0):
    """Returns samples that translate, turn about each axis and about a slanted one, and scale."""
    return [
        [
            (KIND.kTranslateOperation, imath.V3d(0.5 * i, 1.0, -0.25 * i)),
            (KIND.kRotateXOperation, turn * i),
            (KIND.kRotateYOperation, -0.5 * turn * i),
            (KIND.kRotateOperation, imath.V3d(1, 2, 3), 7.0 * i),
            (KIND.kRotateZOperation, 3.0),
            (KIND.kScaleOperation, imath.V3d(1.0 + 0.1 * i, 2.0, 1.0)),
        ]
        for i in range(count)
    ]


def uniform_sampling(archive):
    return archive.addTimeSampling(AbcCoreAbstract.TimeSampling(1 / 24, 0.5))


def listed_sampling(archive, kind, listed):
    vector = AbcCoreAbstract.TimeVector()
    for time in listed:
        vector.append(time)
    return archive.addTimeSampling(AbcCoreAbstract.TimeSampling(kind, vector))


def write_uniform(archive):
    """Nested transforms that move, polygons, and values per corner with indices; 24 samples per second from 0.5 s on."""
    sampling = uniform_sampling(archive)
    root = xform(archive.getTop(), "root", sampling, moves(5))
    arm = xform(root, "arm", sampling, moves(5, turn=-9.0))
    mesh(arm, "body", sampling, [0.1 * i for i in range(5)], indexed_values)


def write_cyclic(archive):
    """Two samples per cycle, and values per point."""
    kind = AbcCoreAbstract.TimeSamplingType(2, 1.0)
    sampling = listed_sampling(archive, kind, [0.25, 0.5])
    root = xform(archive.getTop(), "root", sampling, moves(7))
    mesh(root, "body", sampling, [0.3 * i for i in range(7)], point_values)


def write_acyclic(archive):
    """A time of its own for each sample; samples are repeated at the start, in between and at the end."""
    kind = AbcCoreAbstract.TimeSamplingType(AbcCoreAbstract.AcyclicFlag.kAcyclic)
    sampling = listed_sampling(archive, kind, [-0.5, 0.0, 0.1, 0.7, 0.8, 1.5, 4.0, 4.5])
    repeated = [0, 0, 1, 1, 0, 2, 3, 3]
    steps = moves(4)
    root = xform(archive.getTop(), "root", sampling, [steps[i] for i in repeated])
    mesh(root, "body", sampling, [0.2 * i for i in repeated], corner_values)


def write_not_inheriting(archive):
    """A transform that those above do not move, a matrix that shears, and one that mirrors."""
    sampling = uniform_sampling(archive)
    root = xform(archive.getTop(), "root", sampling, moves(4))
    free = xform(root, "free", sampling, moves(4, turn=5.0), inherits=False)
    mesh(free, "body", sampling, [0.0])
    shears = []
    for i in range(4):
        rows = (1, 0, 0, 0), (0.2 * i, 1, 0, 0), (0, 0.1, 2, 0), (i, 0, 1, 1)
        shears.append([(KIND.kMatrixOperation, imath.M44d(*rows))])
    mesh(xform(root, "sheared", sampling, shears), "sheared_body", sampling, [0.0])
    mirror = [[(KIND.kScaleOperation, imath.V3d(-1, 1, 1))]]
    mirrored = xform(archive.getTop(), "mirrored", sampling, mirror)
    mesh(mirrored, "mirrored_body", sampling, [0.0, 0.1], corner_values)


def write_instances(archive):
    """A transform that stands for another and the mesh below it."""
    sampling = uniform_sampling(archive)
    source = xform(archive.getTop(), "source", sampling, moves(3))
    mesh(source, "body", sampling, [0.0, 0.1, 0.2])
    move = [[(KIND.kTranslateOperation, imath.V3d(5, 0, 0))]]
    place = xform(archive.getTop(), "place", sampling, move)
    place.addChildInstance(source, "copy")


def write_scopes(archive):
    """Values per face, per point by the other name, and one for all; normals per corner whose indices change."""
    sampling = uniform_sampling(archive)
    root = xform(archive.getTop(), "root", sampling, moves(1))
    phases = [0.0, 0.1, 0.2]
    mesh(root, "per_face", sampling, phases, values_of(FACE, len(COUNTS)))
    mesh(root, "per_point", sampling, phases, values_of(VARYING, len(POINTS)))
    mesh(root, "constant", sampling, phases, values_of(CONSTANT, 1))
    mesh(root, "indexed", sampling, phases, moving_indices)


def write_holes(archive):
    """A subdivision surface whose second face is a hole."""
    sampling = uniform_sampling(archive)
    root = xform(archive.getTop(), "root", sampling, moves(1))
    schema = AbcGeom.OSubD(root, "cage").getSchema()
    schema.setTimeSampling(sampling)
    for phase in (0.0, 0.1):
        faces = ints(INDICES), ints(COUNTS)
        schema.set(AbcGeom.OSubDSchemaSample(points_at(phase), *faces, holes=ints([1])))


def write_varying_points(archive):
    """A sample with fewer points."""
    made = AbcGeom.OPolyMesh(archive.getTop(), "splash")
    for count in (4, 3):
        faces = ints(range(count)), ints([count])
        points = points_at(0.0, POINTS[:count])
        made.getSchema().set(AbcGeom.OPolyMeshSchemaSample(points, *faces))


def write_varying_faces(archive):
    """As many points in each sample, but other faces."""
    sampling = uniform_sampling(archive)
    made = AbcGeom.OPolyMesh(archive.getTop(), "splash")
    made.getSchema().setTimeSampling(sampling)
    for indices in ([0, 1, 2, 3], [1, 2, 3, 0]):
        sample = AbcGeom.OPolyMeshSchemaSample(points_at(0.0), ints(indices), ints([4]))
        made.getSchema().set(sample)


FILES = {
    "uniform": write_uniform,
    "cyclic": write_cyclic,
    "acyclic": write_acyclic,
    "not_inheriting": write_not_inheriting,
    "instances": write_instances,
    "scopes": write_scopes,
    "holes": write_holes,
    "varying_points": write_varying_points,
    "varying_faces": write_varying_faces,
}

if __name__ == "__main__":
    for name, write in FILES.items():
        archive = Abc.OArchive(str(pathlib.Path(sys.argv[1]) / f"{name}.abc"))
        write(archive)
        # The file is complete when the archive is gone.
        del archive
