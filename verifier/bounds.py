"""What tolerances promise, what one mean of held-out rows proves, and the plan (CERTIFICATE.md, sections 6 to 9)."""

import math


def signed_bound(tolerance, budget, bins):
    return math.sqrt(tolerance * budget) + math.sqrt(budget) / bins


def interval_bound(tolerance, budget, bins):
    return bins * math.sqrt(tolerance * budget) + math.sqrt(budget) / bins


def level_set_bound(tolerance, bins, value_bins):
    return bins * value_bins * math.sqrt(tolerance) + 1 / bins


def paper_bound(factors, tolerance, bins, budget, value_bins, free):
    """The paper's own, where it says anything."""
    if factors == "intervals":
        bound, most = interval_bound(tolerance, budget, bins), free["multicalibration"]
    else:
        bound, most = level_set_bound(tolerance, bins, value_bins), free["levelSet"]
    return {"paperBound": bound} if factors in ("intervals", "level-sets") and bound < most else {}


def plan(epsilon, guarantee, factors, budget, value_bins):
    """Tolerance and bins that half of epsilon each pays for."""
    if factors == "level-sets":
        bins = math.ceil(2 / epsilon)
        tolerance, bound = 1 / (bins * value_bins * (2 / epsilon)) ** 2, lambda t: level_set_bound(t, bins, value_bins)
    elif guarantee == "multiaccuracy":
        bins, tolerance, bound = 1, 1 / (budget * (1 / epsilon) ** 2), lambda t: math.sqrt(t * budget)
    elif guarantee == "level-set":
        bins = math.ceil(2 / epsilon)
        tolerance, bound = 1 / (2 / epsilon) ** 2, lambda t: signed_bound(t, 1, bins)
    else:
        bins = math.ceil(2 * math.sqrt(budget) / epsilon)
        each = bins if factors == "intervals" else 1
        tolerance = 1 / (budget * (each * (2 / epsilon)) ** 2)
        bound = lambda t: (interval_bound if factors == "intervals" else signed_bound)(t, budget, bins)
    return (tolerance * (1 - 1e-12) if bound(tolerance) > epsilon else tolerance), bins


def round_up(value):
    return math.ceil(value * 1e9) / 1e9


def psi(tilt):
    return -math.log1p(-tilt) - tilt


def best_tilt(exponent, rows, mean_square):
    target = exponent / (rows * mean_square)
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        if middle**2 / (1 - middle) - psi(middle) < target:
            low = middle
        else:
            high = middle
    return min(0.999, max(1e-6, math.floor(high * 1e6 + 0.5) / 1e6))


def are_equal(units):
    return units["squaredWeight"] == units["largestWeight"] * units["weight"]


def prior_from(fitting, equal, mean_square, count, largest):
    """What fitting rows let one expect of `count` other units, of which the heaviest weighs `largest`."""
    rows = count * fitting["weight"] / fitting["count"] / largest
    weights = fitting["squaredWeight"] / (largest * fitting["weight"])
    if equal:
        return rows, mean_square
    return rows, (0.1 * math.sqrt(weights) + math.sqrt(min(mean_square, weights))) ** 2


def limit_above(units, equal, mean_square, prior, measured, failure):
    """The worst error on new rows is at most this, but for a chance of `failure`."""
    exponent = math.log(1 / failure)
    tilt = best_tilt(exponent, prior[0], max(prior[1], 1e-6))
    share = units["largestWeight"] / units["weight"]
    return min(1, round_up(min(1, upper_limit(units, equal, mean_square, measured, exponent, tilt, share))))


def upper_limit(units, equal, mean_square, mean, exponent, tilt, share):
    if equal:
        return mean + (psi(tilt) * mean_square + exponent * share) / tilt
    weights = units["squaredWeight"] / (units["largestWeight"] * units["weight"])
    values, factor = min(mean_square, weights), psi(tilt) / tilt
    quadratic, linear = factor * weights, 1 - 2 * factor * math.sqrt(weights * values)
    constant = mean + factor * values + exponent * share / tilt
    discriminant = linear**2 - 4 * quadratic * constant
    if linear <= 0 or discriminant < 0 or linear + math.sqrt(discriminant) < 2 * quadratic:
        return 1
    return 2 * constant / (linear + math.sqrt(discriminant))


def paper_at_rows(depth, inputs, bins, rounds, tolerance, confidence, rows):
    """The paper's own bound at the fitting rows: parameters and operations of all updates, and what follows."""
    inner = 2**depth - 1
    parameters = 1 + (rounds + 1) * (inner * (inputs + 1) + 2**depth * bins)
    operations = 1 + (rounds + 1) * (depth * (2 * inputs + 1) + bins + 1 + 4)
    dimension = 4 * parameters * (operations + 3)

    def rows_for(xi):
        cover = 1 + math.log(dimension + 1) + dimension * math.log(32 * math.e / xi)
        return 32 / xi**2 * (math.log(4 / (1 - confidence)) + cover)

    bound = 1
    if rows_for(1) < rows:
        low, high = math.sqrt(32 / rows), 1.0
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (low, middle) if rows_for(middle) <= rows else (middle, high)
        bound = signed_bound(tolerance + 2 * high, 1, bins)
    if bound < 1:
        return {"rows": rows, "vacuous": False, "bound": round_up(bound)}
    largest = ((1 - 1 / bins) ** 2 - tolerance) / 2
    if not largest > 0:
        return {"rows": rows, "vacuous": True}
    needed = math.ceil(rows_for(largest))
    power = 10 ** (len(str(needed)) - 2)
    return {"rows": rows, "vacuous": True, "rowsNeeded": -(-needed // power) * power}
