"""Answers statistical questions with SciPy: JSON on standard input, JSON on standard output.

    python3 tools/stats-check/answers.py < questions.json
"""

import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "python_modules"))

import numpy as np  # noqa: E402
from scipy import stats  # noqa: E402


def welch(question):
    """Returns t, the degrees of freedom and p of two samples with variances that may differ."""
    result = stats.ttest_ind(question["a"], question["b"], equal_var=False)
    return [float(result.statistic), float(result.df), float(result.pvalue)]


def two_tailed(question):
    """Returns the probability that the absolute value is at least t."""
    t, degrees_of_freedom = question
    return float(2 * stats.t.sf(abs(t), degrees_of_freedom))


def quantile(question):
    """Returns the number that is exceeded with probability 1 - p."""
    p, degrees_of_freedom = question
    return float(stats.t.ppf(p, degrees_of_freedom))


def paired_ratio(question):
    """Returns the trimmed mean of the logarithms of ratios and both ends of its interval, by bootstrap.

    The percentiles are moved outwards for few rounds (Hesterberg, "What Teachers Should Know about the Bootstrap", 2014,
    section 5.2: expanded percentiles).
    """
    logs = np.log(np.array(question["numerators"]) / np.array(question["denominators"]))
    n = len(logs)
    tail = stats.norm.sf(np.sqrt(n / (n - 1)) * stats.t.ppf(0.975, n - 1))
    statistic = lambda values, axis: stats.trim_mean(values, 0.2, axis=axis)  # noqa: E731
    result = stats.bootstrap(
        (logs,),
        statistic,
        confidence_level=1 - 2 * tail,
        method="percentile",
        n_resamples=20_000,
        rng=np.random.default_rng(question["seed"]),
    )
    interval = result.confidence_interval
    return [float(statistic(logs, 0)), float(interval.low), float(interval.high)]


if __name__ == "__main__":
    answers = {"welch": welch, "two_tailed": two_tailed, "quantile": quantile, "paired_ratio": paired_ratio}
    questions = json.load(sys.stdin)
    print(json.dumps({kind: [answers[kind](question) for question in asked] for kind, asked in questions.items()}))
