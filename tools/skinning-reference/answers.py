"""Answers questions about skinning with public packages: JSON on standard input, JSON on standard output.

    python3 tools/skinning-reference/answers.py < questions.json

`libigl` blends linearly. `pytransform3d` has dual quaternions, their screw-linear interpolation, and logarithms and
exponentials of transforms.
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python_modules"))

import igl  # noqa: E402
import numpy as np  # noqa: E402
from pytransform3d import transformations as pt  # noqa: E402


def matrices(question):
    """Returns the matrices of a question, 4×4, for column vectors."""
    return [np.array(rows, dtype=float).reshape(4, 4) for rows in question["matrices"]]


def moved(matrix, question):
    return [float(x) for x in (matrix @ np.append(question["point"], 1.0))[:3]]


def lbs(question):
    """Returns the point after linear blend skinning, by the matrix of libigl."""
    point, weights = np.array([question["point"]]), np.array([question["weights"]])
    stacked = np.vstack([matrix[:3].T for matrix in matrices(question)])
    return [float(x) for x in (igl.lbs_matrix(point, weights) @ stacked)[0]]


def dqs(question):
    """Returns the point after the sum of dual quaternions, normalised. The package has no sum of several."""
    duals = [pt.dual_quaternion_from_transform(matrix) for matrix in matrices(question)]
    pivot = duals[int(np.argmax(question["weights"]))]
    signs = [1.0 if dual[:4] @ pivot[:4] >= 0 else -1.0 for dual in duals]
    total = sum(w * s * d for w, s, d in zip(question["weights"], signs, duals))
    return moved(pt.transform_from_dual_quaternion(pt.norm_dual_quaternion(total)), question)


def sclerp(question):
    """Returns the point after screw-linear interpolation of two motions, the nearer of both signs."""
    a, b = (pt.dual_quaternion_from_transform(matrix) for matrix in matrices(question))
    if a[:4] @ b[:4] < 0:
        b = -b
    blend = pt.dual_quaternion_sclerp(a, b, question["weights"][1])
    return moved(pt.transform_from_dual_quaternion(blend), question)


def mean(question):
    """Returns the point after the motion from which the weighted logarithms to all motions cancel."""
    wanted = matrices(question)
    blend = wanted[int(np.argmax(question["weights"]))]
    for _ in range(100):
        back = np.linalg.inv(blend)
        step = sum(
            weight * pt.exponential_coordinates_from_transform(back @ matrix, strict_check=False)
            for weight, matrix in zip(question["weights"], wanted)
        )
        blend = blend @ pt.transform_from_exponential_coordinates(step)
        if np.linalg.norm(step) < 1e-13:
            break
    return moved(blend, question)


if __name__ == "__main__":
    kinds = {"lbs": lbs, "dqs": dqs, "sclerp": sclerp, "mean": mean}
    questions = json.load(sys.stdin)
    print(json.dumps({kind: [kinds[kind](q) for q in asked] for kind, asked in questions.items()}))
