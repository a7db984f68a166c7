"""Sets that use the textures of a motion set: section 1."""

import hashlib
import json

from texels import Refused

# Fields of both manifests that must be equal.
SAME = ["encoding", "precision", "interpolation", "metadata", "axes", "joints", "layout", "morphs"]


def textures_of(path, manifest):
    """The folder of the textures, and their entries."""
    motion = manifest.get("motion")
    if motion is None:
        return path, manifest["textures"]
    up, _, name = motion["path"].partition("/")
    if up != ".." or name in ("", ".", "..") or "/" in name or "\\" in name:
        raise Refused(f"{path}: expected ../NAME as the path of the motion set, found {motion['path']!r}")
    parent = path.resolve().parent
    folder = (parent / name).resolve()
    if folder.parent != parent:
        raise Refused(f"{path}: the motion set {name} is a link to another folder")
    contents = (folder / "manifest.json").read_bytes()
    if "sha256:" + hashlib.sha256(contents).hexdigest() != motion["digest"]:
        raise Refused(f"{path}: the motion set {name} is another than it was baked with")
    other = json.loads(contents)
    differing = [field for field in SAME if manifest[field] != other[field]]
    for list_name, left_out in (("clips", "bounds"), ("textures", "files")):
        entries = [[{k: v for k, v in entry.items() if k != left_out} for entry in m[list_name]]
                   for m in (manifest, other)]
        differing += [list_name] if entries[0] != entries[1] else []
    if differing or other["parts"] or other.get("motion"):
        raise Refused(f"{path}: the motion set {name} does not fit: {', '.join(differing) or 'it has a mesh'}")
    return folder, other["textures"]
