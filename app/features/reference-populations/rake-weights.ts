/** People who gave the same answers to all questions that are weighted by. */
export interface WeightingCell {
  /** One for each margin, in its order. */
  categories: readonly string[]
  people: number
}

/** The shares that the categories of a question should have; they add up to 1. */
export interface Margin {
  name: string
  shares: ReadonlyMap<string, number>
}

interface WeightCaps {
  least: number
  most: number
}

export const DEFAULT_CAPS: WeightCaps = { least: 0.3, most: 3 }

export type WeightingRefusal = { reason: 'no-people' | 'no-population'; margin: string; category: string } | { reason: 'no-convergence' }

interface Weights {
  /** Of each cell, in its order. Their mean over all people is 1. */
  weights: number[]
  /** Kish's effective sample size. */
  effectivePeople: number
  /** People whose weight is at a cap. */
  cappedPeople: number
  /** The largest difference that is left between a weighted share and its target. */
  largestGap: number
}

const TOLERANCE = 1e-9
const MAX_ROUNDS = 1000

/**
 * Weights that give the categories of each margin their share: raking, or iterative proportional fitting (Deming and Stephan, 1940), then capped.
 * Where no cap binds, all margins are met. The order of the margins and of the cells makes no difference.
 */
export function rakeWeights(
  cells: readonly WeightingCell[],
  margins: readonly Margin[],
  caps: WeightCaps = DEFAULT_CAPS,
): { ok: true; weights: Weights } | ({ ok: false } & WeightingRefusal) {
  const refusal = findEmptyCategory(cells, margins)
  if (refusal) return { ok: false, ...refusal }
  const fitted = fitMargins(cells, margins)
  if (!fitted) return { ok: false, reason: 'no-convergence' }
  const weights = capWeights(cells, fitted, caps)
  const sum = sumOver(cells, (at) => weights[at] ?? 0)
  const squares = sumOver(cells, (at) => (weights[at] ?? 0) ** 2)
  const isCapped = (weight: number) => weight <= caps.least + TOLERANCE || weight >= caps.most - TOLERANCE
  return {
    ok: true,
    weights: {
      weights,
      effectivePeople: sum ** 2 / squares,
      cappedPeople: cells.reduce((people, cell, at) => people + (isCapped(weights[at] ?? 1) ? cell.people : 0), 0),
      largestGap: findLargestGap(cells, margins, weights),
    },
  }
}

const sumOver = (cells: readonly WeightingCell[], valueOf: (at: number) => number): number =>
  cells.reduce((sum, { people }, at) => sum + people * valueOf(at), 0)

/** A category without participants cannot be weighted up, and one without inhabitants cannot be weighted down. */
function findEmptyCategory(cells: readonly WeightingCell[], margins: readonly Margin[]): WeightingRefusal | undefined {
  for (const [at, { name, shares }] of margins.entries()) {
    const present = new Set(cells.filter(({ people }) => people > 0).map(({ categories }) => categories[at] ?? ''))
    for (const [category, share] of shares) if (share > 0 && !present.has(category)) return { reason: 'no-people', margin: name, category }
    for (const category of present) if (!shares.get(category)) return { reason: 'no-population', margin: name, category }
  }
  return undefined
}

/** @returns undefined if the margins contradict each other for the people there are */
function fitMargins(cells: readonly WeightingCell[], margins: readonly Margin[]): number[] | undefined {
  const weights = cells.map(() => 1)
  const everybody = sumOver(cells, () => 1)
  if (everybody === 0) return undefined
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    if (findLargestGap(cells, margins, weights) <= TOLERANCE) return weights
    for (const [margin, { shares }] of margins.entries()) {
      const sums = sumByCategory(cells, margin, weights)
      for (const [at, { categories }] of cells.entries()) {
        const category = categories[margin] ?? ''
        weights[at] = ((weights[at] ?? 0) * (shares.get(category) ?? 0) * everybody) / (sums.get(category) ?? 1)
      }
    }
  }
  return undefined
}

function sumByCategory(cells: readonly WeightingCell[], margin: number, weights: readonly number[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [at, { categories, people }] of cells.entries()) {
    const category = categories[margin] ?? ''
    sums.set(category, (sums.get(category) ?? 0) + people * (weights[at] ?? 0))
  }
  return sums
}

function findLargestGap(cells: readonly WeightingCell[], margins: readonly Margin[], weights: readonly number[]): number {
  const total = sumOver(cells, (at) => weights[at] ?? 0)
  const gaps = margins.flatMap(({ shares }, margin) => {
    const sums = sumByCategory(cells, margin, weights)
    return [...shares].map(([category, share]) => Math.abs((sums.get(category) ?? 0) / total - share))
  })
  return Math.max(0, ...gaps)
}

/** Cuts weights at the caps and scales them so that their mean stays 1: the scale is found by halving, since the mean grows with it. */
function capWeights(cells: readonly WeightingCell[], fitted: readonly number[], { least, most }: WeightCaps): number[] {
  const everybody = sumOver(cells, () => 1)
  const cut = (scale: number) => fitted.map((weight) => Math.min(most, Math.max(least, weight * scale)))
  const meanOf = (weights: readonly number[]) => sumOver(cells, (at) => weights[at] ?? 0) / everybody
  if (fitted.every((weight) => weight >= least && weight <= most)) return [...fitted]
  let [low, high] = [0, 1]
  while (meanOf(cut(high)) < 1 && high < 1e12) high *= 2
  for (let round = 0; round < 200; round += 1) {
    const middle = (low + high) / 2
    if (meanOf(cut(middle)) < 1) low = middle
    else high = middle
  }
  return cut(high)
}

/**
 * The margin of a question that some participants did not answer: they keep their share, and the census divides the rest.
 * @param said how many people who took part gave each category; '' stands for those who said nothing
 */
export function buildMargin(name: string, said: ReadonlyMap<string, number>, population: ReadonlyMap<string, number>): Margin {
  const everybody = [...said.values()].reduce((sum, people) => sum + people, 0)
  const silent = said.get('') ?? 0
  const lives = [...population.values()].reduce((sum, people) => sum + people, 0)
  const rest = everybody === 0 ? 1 : 1 - silent / everybody
  return {
    name,
    shares: new Map([
      ...[...population].filter(([, people]) => people > 0).map(([category, people]) => [category, (people / lives) * rest] as const),
      ...(silent > 0 ? [['', silent / everybody] as const] : []),
    ]),
  }
}
