/**
 * Krippendorff's alpha for nominal values, from the coincidences of values within units (Krippendorff 2011, "Computing Krippendorff's
 * Alpha-Reliability"): 1 is agreement, 0 is what chance gives. Any number of observers, with missing values.
 */
interface Disagreement {
  /** Share of pairs within units that differ. */
  observed: number
  /** Share that would differ if values were given by chance. */
  expected: number
}

/** @param units the values that each unit got; null for a missing one */
export function measureDisagreement(units: readonly (readonly (string | number | boolean | null)[])[]): Disagreement {
  const totals = new Map<string | number | boolean, number>()
  let pairable = 0
  let differing = 0
  for (const unit of units) {
    const values = unit.filter((value) => value !== null)
    // A value without another one beside it agrees with nothing.
    if (values.length < 2) continue
    const counts = countValues(values)
    pairable += values.length
    for (const [value, count] of counts) {
      totals.set(value, (totals.get(value) ?? 0) + count)
      differing += (count * (values.length - count)) / (values.length - 1)
    }
  }
  if (pairable === 0) return { observed: 0, expected: 0 }
  const expected = [...totals.values()].reduce((sum, count) => sum + count * (pairable - count), 0)
  return { observed: differing / pairable, expected: expected / (pairable * (pairable - 1)) }
}

function countValues<Value>(values: readonly Value[]): Map<Value, number> {
  const counts = new Map<Value, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

/** Null if all values are the same: nothing shows then that two people tell one from the other. */
export const toAlpha = ({ observed, expected }: Disagreement): number | null => (expected === 0 ? null : 1 - observed / expected)

/** Of several variables of the same units: their disagreements summed, so that a variable which hardly varies weighs little. */
export const sumDisagreements = (each: readonly Disagreement[]): Disagreement =>
  each.reduce((sum, { observed, expected }) => ({ observed: sum.observed + observed, expected: sum.expected + expected }), {
    observed: 0,
    expected: 0,
  })
