#!/usr/bin/env python3
"""Decodes a Throng texture set, from docs/format.md alone.

    throng_decode.py SET CLIP TIME_SECS... [--bones]

SET is a folder with a manifest.json, or a GLB that holds the set; CLIP a name or an index. Prints one JSON object
per time, one per line: posed vertices in metres, in the order of the mesh. Numbers are float64
throughout. Section numbers are those of docs/format.md.
"""

import argparse
import itertools
import json
import sys
from pathlib import Path

import shared
from algebra import compose, lerp, plus, trs
from bones import BoneGrid
from curves import JointCurves, VertexCurves
from grids import Grid, frame_pair, ranged, time_in_clip
from mesh import Glb, Part
from skinning import Skin, skin_part, Skinning, slerp_vertices
from texels import read_texture, Refused, Texture
from vertices import VertexGrids


class Decoder:
    def __init__(self, path):
        if path.is_dir():
            self.manifest = json.loads((path / "manifest.json").read_bytes())
            self.glb = Glb(path / self.manifest["mesh"])
            folder, textures = shared.textures_of(path, self.manifest)
            self.textures = [read_texture(folder, info) for info in textures]
        else:
            self.glb = Glb(path)
            extension = self.glb.json["extensions"]["THRONG_animation_textures"]
            self.manifest = extension["manifest"]
            views = [self.glb.view(index) for index in extension["bufferViews"]]
            self.textures = [Texture(info, view) for info, view in zip(self.manifest["textures"], views)]
        if self.manifest["format"] != "throng-texture-set" or self.manifest["version"] not in (3, 4):
            raise Refused(f"{path}: expected a Throng texture set of version 3 or 4")
        joints = self.manifest["joints"]
        self.parts = [Part(self.glb, len(joints) + p) for p in range(len(self.manifest["parts"]))]
        self.skins = [Skin(skin, self.glb.inverse_bind_matrices(s), joints)
                      for s, skin in enumerate(self.manifest["skins"])]
        self.morph_sets = [s["weights"] for s in self.glb.json["extras"]["throng"].get("morph_sets", [])]
        kind, = self.manifest["layout"]
        self.layout = {"vertices": VertexGrids, "vertex-curves": VertexCurves,
                       "bones": BoneGrid, "joint-curves": JointCurves}[kind](self)
        self.has_bones = kind in ("bones", "joint-curves")

    def clip(self, name):
        clips = self.manifest["clips"]
        found = [c for c in clips if c["name"] == name] or [c for i, c in enumerate(clips) if str(i) == name]
        if not found:
            raise Refused(f"no clip {name!r}; there are {[c['name'] for c in clips]}")
        return found[0]

    def rest_pose(self):
        models = []
        for joint, node in zip(self.manifest["joints"], self.glb.json["nodes"]):
            local = trs(node.get("translation", [0.0] * 3), node.get("rotation", [0.0, 0.0, 0.0, 1.0]),
                        node.get("scale", [1.0] * 3))
            models.append(local if joint["parent"] is None else compose(models[joint["parent"]], local))
        return models

    def morph_weights(self, clip, t):
        """A list of weights for each morph set."""
        morphs = self.manifest["morphs"]
        if morphs is None:
            return self.morph_sets
        grid = Grid(morphs["grid"], self.textures)
        a, b, f = frame_pair(clip, t)
        flat = lerp(grid.numbers(a, 0, morphs["weights"]), grid.numbers(b, 0, morphs["weights"]), f)
        flat = iter([ranged(x, morphs["range"], n) for n, x in enumerate(flat)])
        return [list(itertools.islice(flat, len(rest))) for rest in self.morph_sets]

    def skinned(self, p, model_from_joint, morph_weights):
        part = self.parts[p]
        skin = self.skins[self.manifest["parts"][p]["skin"]]
        weights = [] if part.morph_set is None else morph_weights[part.morph_set]
        return skin_part(part, Skinning(skin, model_from_joint), self.manifest["method"], weights)

    def pose(self, clip, t):
        """The pose to print."""
        t = time_in_clip(clip, t)
        if not self.has_bones:
            return {"parts": self.vertex_parts(*self.layout.at(clip, t))}
        models = self.rest_pose()
        self.layout.pose(clip, t, models)
        weights = self.morph_weights(clip, t)
        if self.manifest["interpolation"] == "slerp-vertices":
            posed = self.slerped(*frame_pair(clip, t), weights)
        else:
            posed = [self.skinned(p, models, weights) for p in range(len(self.parts))]
        return {"parts": [{"positions": p, "normals": n} for p, n in posed], "model_from_joint": models}

    def slerped(self, a, b, f, weights):
        """Vertices between two frames: section 13."""
        ends = [self.rest_pose(), self.rest_pose()]
        for frame, models in zip((a, b), ends):
            self.layout.between(frame, frame, 0.0, models)
        for p, part in enumerate(self.parts):
            skinned = [self.skinned(p, models, weights) for models in ends]
            yield slerp_vertices(part, self.skins[self.manifest["parts"][p]["skin"]], skinned, ends, f)

    def vertex_parts(self, offset, normal):
        parts = []
        for info, part in zip(self.manifest["parts"], self.parts):
            first_position, first_normal = info["first_position"], info["first_normal"]
            offsets = [offset(first_position + i) for i in range(info["positions"])]
            normals = [normal(first_normal + j) for j in range(info["normals"])]
            parts.append({"positions": [plus(rest, offsets[i]) for rest, i in zip(part.rest, part.unique_positions)],
                          "normals": [normals[j] for j in part.unique_normals]})
        return parts


def main():
    parser = argparse.ArgumentParser(description="Decode a Throng texture set")
    parser.add_argument("set", type=Path)
    parser.add_argument("clip")
    parser.add_argument("time_secs", type=float, nargs="+")
    parser.add_argument("--bones", action="store_true", help="print model_from_joint too, three rows of four per joint")
    arguments = parser.parse_args()
    try:
        decoder = Decoder(arguments.set)
        clip = decoder.clip(arguments.clip)
        for t in arguments.time_secs:
            pose = decoder.pose(clip, t)
            if not arguments.bones:
                pose.pop("model_from_joint", None)
            print(json.dumps(pose))
    except (Refused, OSError) as error:
        sys.exit(f"error: {error}")


if __name__ == "__main__":
    main()
