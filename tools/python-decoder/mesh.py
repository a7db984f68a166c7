"""Section 14: the mesh, in bind space."""

import itertools
import json
import struct

import meshopt
from algebra import affine, compose, normalise, plus, times
from texels import Refused


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        if data[:4] != b"glTF":
            raise Refused(f"{path}: no GLB")
        size, = struct.unpack_from("<I", data, 12)
        self.json = json.loads(data[20:20 + size])
        self.buffer = data[28 + size:]

    def view(self, index):
        view = self.json["bufferViews"][index]
        compressed = view.get("extensions", {}).get("EXT_meshopt_compression")
        stored = compressed or view
        start = stored.get("byteOffset", 0)
        data = self.buffer[start:start + stored["byteLength"]]
        if compressed is None:
            return data
        return meshopt.decode(data, compressed["count"], compressed["byteStride"], compressed["mode"])

    def array(self, index):
        """An accessor: a list of numbers, or of lists of them."""
        accessor = self.json["accessors"][index]
        code, most = {5120: ("b", 127), 5121: ("B", 255), 5122: ("h", 32767), 5123: ("H", 65535), 5125: ("I", None),
                      5126: ("f", None)}[accessor["componentType"]]
        size = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor["type"]]
        element = struct.Struct(f"<{size}{code}")
        stride = self.json["bufferViews"][accessor["bufferView"]].get("byteStride", element.size)
        data = self.view(accessor["bufferView"])
        elements = [list(element.unpack_from(data, i * stride)) for i in range(accessor["count"])]
        if accessor.get("normalized"):
            elements = [[x / most for x in numbers] for numbers in elements]
        return [x for x, in elements] if size == 1 else elements

    def inverse_bind_matrices(self, index):
        """Those of a skin, for positions in metres."""
        skin = self.json["skins"][index]
        in_metres = skin.get("extras", {}).get("throng", {}).get("inverse_bind_matrices")
        if in_metres is not None:
            return [affine_of_matrix(m) for m in self.array(in_metres)]
        meshes = [self.json["meshes"][node["mesh"]] for node in self.json["nodes"] if node.get("skin") == index]
        grids = [grid(mesh) for mesh in meshes if "quantization" in mesh["extras"]["throng"]] or [grid({})]
        metres = affine([[1 / grids[0]["step"] if r == c else 0.0 for r in range(3)] for c in range(3)],
                        times(grids[0]["offset"], -1 / grids[0]["step"]))
        return [compose(affine_of_matrix(m), metres) for m in self.array(skin["inverseBindMatrices"])]


def affine_of_matrix(m):
    return affine([m[4 * c:4 * c + 3] for c in range(3)], m[12:15])


def grid(mesh):
    """The quantisation of a mesh's positions."""
    return mesh.get("extras", {}).get("throng", {}).get("quantization", {"step": 1.0, "offset": [0.0] * 3})


class Part:
    """One part's vertices in bind space, its morph targets and influences."""

    def __init__(self, glb, node):
        node = glb.json["nodes"][node]
        mesh = glb.json["meshes"][node["mesh"]]
        primitive = mesh["primitives"][0]
        extras = mesh["extras"]["throng"]
        count = extras["vertices"]
        arrays = {name: glb.array(index)[:count] for name, index in primitive["attributes"].items()}
        step, offset = grid(mesh)["step"], grid(mesh)["offset"]
        self.positions = [plus(offset, times(p, step)) for p in arrays["POSITION"]]
        self.normals = [normalise(n, n) for n in arrays["NORMAL"]]
        self.normals = arrays.get("_SOURCE_NORMAL", self.normals)
        self.rest = arrays.get("_REST_POSITION")
        self.factors = arrays.get("_BLEND_FACTOR", [0.0] * count)
        self.authored_method = extras["authored_method"]
        self.influences = [influences(arrays, v) for v in range(count)]
        self.targets = [{name: glb.array(index) for name, index in target.items()}
                        for target in primitive.get("targets", [])]
        for target in self.targets:
            target["POSITION"] = [times(d, step) for d in target["POSITION"]]
        # Only vertex sets need them, and always have them.
        self.unique_positions = [int(x) for x in arrays.get("_UNIQUE_POSITION", [])]
        self.unique_normals = [int(x) for x in arrays.get("_UNIQUE_NORMAL", [])]
        self.morph_set = node["extras"]["throng"]["part"].get("morph_set")

    def morphed(self, weights):
        """Positions and normals in bind space; `weights` are those of the part's morph set."""
        positions, normals = self.positions, self.normals
        for weight, target in zip(weights, self.targets):
            if weight != 0:
                positions = [plus(p, times(d, weight)) for p, d in zip(positions, target["POSITION"])]
                if "NORMAL" in target:
                    normals = [plus(n, times(d, weight)) for n, d in zip(normals, target["NORMAL"])]
        if normals is not self.normals:
            normals = [normalise(n, n) for n in normals]
        return positions, normals


def influences(arrays, v):
    """(palette index, weight) of vertex `v`, heaviest first."""
    found = []
    for n in itertools.count():
        if f"JOINTS_{n}" not in arrays:
            return found
        for entry, weight in zip(arrays[f"JOINTS_{n}"][v], arrays[f"WEIGHTS_{n}"][v]):
            if weight == 0:
                return found
            found.append((entry, weight))
