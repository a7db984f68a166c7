"""Section 14: the mesh, in bind space."""

import itertools
import json
import struct

from algebra import normalise, plus, times
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
        start = view.get("byteOffset", 0)
        return self.buffer[start:start + view["byteLength"]]

    def array(self, index):
        """An accessor: a list of numbers, or of lists of them."""
        accessor = self.json["accessors"][index]
        code = {5121: "B", 5123: "H", 5125: "I", 5126: "f"}[accessor["componentType"]]
        size = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        count = accessor["count"]
        if "bufferView" not in accessor:
            return [[0.0] * size] * count
        numbers = struct.unpack_from(f"<{count * size}{code}", self.view(accessor["bufferView"]))
        return list(numbers) if size == 1 else [list(numbers[i:i + size]) for i in range(0, len(numbers), size)]


class Part:
    """One part's vertices in bind space, its morph targets and influences."""

    def __init__(self, glb, node):
        node = glb.json["nodes"][node]
        mesh = glb.json["meshes"][node["mesh"]]
        primitive = mesh["primitives"][0]
        extras = mesh["extras"]["throng"]
        count = extras["vertices"]
        arrays = {name: glb.array(index)[:count] for name, index in primitive["attributes"].items()}
        self.positions = arrays["POSITION"]
        self.normals = arrays.get("_SOURCE_NORMAL", arrays.get("NORMAL"))
        self.unique_positions = [int(x) for x in arrays["_UNIQUE_POSITION"]]
        self.unique_normals = [int(x) for x in arrays["_UNIQUE_NORMAL"]]
        self.rest = arrays.get("_REST_POSITION")
        self.factors = arrays.get("_BLEND_FACTOR", [0.0] * count)
        self.authored_method = extras["authored_method"]
        self.influences = [influences(arrays, v) for v in range(count)]
        self.targets = [{name: glb.array(index) for name, index in target.items()}
                        for target in primitive.get("targets", [])]
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
