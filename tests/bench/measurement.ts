import type { BenchSetup } from './setup.ts'

/** The result of a measurement. Rates are per second, times in milliseconds. */
export interface Figures {
  /** One line for people: what was compared with what. */
  summary: string
  /** The product relative to its own baseline: the median of several rounds that each measure both. */
  ratios: Record<string, number>
  /** The raw numbers. */
  values: Record<string, number>
  /** Anything that voids the measurement, such as failed requests. Normally empty. */
  faults: string[]
  /** A measurement of many things reports each kind of them under its own name. */
  kinds?: Record<string, Figures>
  /** Milliseconds of web process and database for each member of a kind, measured less exactly. */
  members?: Record<string, number[]>
}

export interface Measurement {
  name: string
  /** It is skipped where there is no Chromium. */
  needsChromium?: true
  run: (ground: BenchSetup) => Promise<Figures>
}

export const computeMedian = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2
}

export const roundTo = (number: number, digits = 2): number => Number(number.toFixed(digits))
