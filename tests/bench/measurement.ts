import type { BenchSetup } from './setup.ts'

/** What one measurement found. Rates are in a second, times in milliseconds. */
export interface Figures {
  /** One line for people: what was compared with what. */
  summary: string
  /** How the product compares with its own baseline: the median of several rounds, in each of which both were measured. */
  ratios: Record<string, number>
  /** What was measured, as numbers. */
  values: Record<string, number>
  /** Facts that make the measurement void, such as answers that were none. Empty as it should be. */
  faults: string[]
}

export interface Measurement {
  name: string
  run: (ground: BenchSetup) => Promise<Figures>
}

export const computeMedian = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const roundTo = (number: number, digits = 2): number => Number(number.toFixed(digits))
