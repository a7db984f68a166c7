"""Prints the transforms and meshes of an Alembic file, as one line of JSON.

    python3 tools/alembic-reference/read.py FILE

The file is read by the package `alembic3d`, which wraps the library of the format. Nothing is converted: matrices are
for row vectors, faces wind as in the file, and V points up.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python_modules"))

import imath  # noqa: E402
from alembic3d import Abc, AbcGeom  # noqa: E402


def times(schema):
    """Returns the time of each sample of a schema or parameter, in seconds."""
    sampling = schema.getTimeSampling()
    return [sampling.getSampleTime(i) for i in range(schema.getNumSamples())]


def selector(schema, index):
    """Selects a sample, at most the last. By its time: an integer that is given to a selector is taken as a time, too."""
    index = max(0, min(index, schema.getNumSamples() - 1))
    return Abc.ISampleSelector(schema.getTimeSampling().getSampleTime(index))


def world(xforms, index):
    """Multiplies the transforms from the innermost out, at a sample of each."""
    matrix = imath.M44d()
    for schema in reversed(xforms):
        sample = schema.getValue(selector(schema, index))
        matrix = matrix * sample.getMatrix()
        if not sample.getInheritsXforms():
            break
    return [matrix[row][column] for row in range(4) for column in range(4)]


def read_param(param):
    """Returns the scope, the times, and the values per element of each sample; None without samples."""
    if not param.valid() or param.getNumSamples() == 0:
        return None
    samples = []
    for i in range(param.getNumSamples()):
        sample = param.getExpandedValue(selector(param, i))
        samples.append([list(value) for value in sample.getVals()])
    return {"scope": str(param.getScope()), "times": times(param), "samples": samples}


def read_mesh(name, obj, kind):
    """Returns points of all samples, and faces, normals and texture coordinates."""
    schema = kind(obj, Abc.WrapExistingFlag.kWrapExisting).getSchema()
    first = schema.getValue(selector(schema, 0))
    points = schema.getPositionsProperty()
    is_poly = kind is AbcGeom.IPolyMesh
    return {
        "path": name,
        "times": times(points),
        "points": [
            [list(point) for point in points.getValue(selector(points, i))]
            for i in range(points.getNumSamples())
        ],
        "counts": list(first.getFaceCounts()),
        "indices": list(first.getFaceIndices()),
        "holes": [] if is_poly else list(first.getHoles() or []),
        "uvs": read_param(schema.getUVsParam()),
        "normals": read_param(schema.getNormalsParam()) if is_poly else None,
    }


def visit(obj, xforms, found):
    """Adds an object and those below it to `found`."""
    for child in obj.children:
        name, below = child.getFullName(), xforms
        if AbcGeom.IXform.matches(child.getMetaData()):
            schema = AbcGeom.IXform(child, Abc.WrapExistingFlag.kWrapExisting).getSchema()
            below = xforms + [schema]
            samples = max(s.getNumSamples() for s in below)
            longest = max(below, key=lambda s: s.getNumSamples())
            found["xforms"].append({
                "path": name,
                "times": times(longest),
                "world": [world(below, i) for i in range(samples)],
            })
        for kind in (AbcGeom.IPolyMesh, AbcGeom.ISubD):
            if kind.matches(child.getMetaData()):
                found["meshes"].append(read_mesh(name, child, kind))
        visit(child, below, found)


if __name__ == "__main__":
    archive = Abc.IArchive(sys.argv[1])
    found = {"xforms": [], "meshes": []}
    visit(archive.getTop(), [], found)
    print(json.dumps(found))
