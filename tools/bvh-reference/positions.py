"""Prints the positions of all joints of a BVH file at some frames, as one line of JSON.

    python3 tools/bvh-reference/positions.py FILE FRAME...

The file is read and posed by the package `bvhio`, in float32. Positions are in model space, in units of the file.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python_modules"))

import bvhio  # noqa: E402


def positions(path, frames):
    """Returns the position of each joint at each frame, by the name of the joint."""
    root = bvhio.readAsHierarchy(path)
    found = {}
    for frame in frames:
        root.loadPose(frame)
        for joint, _, _ in root.layout():
            found.setdefault(joint.Name, []).append(list(joint.PositionWorld))
    return found


if __name__ == "__main__":
    frames = [int(frame) for frame in sys.argv[2:]]
    print(json.dumps({"frames": frames, "joints": positions(sys.argv[1], frames)}))
