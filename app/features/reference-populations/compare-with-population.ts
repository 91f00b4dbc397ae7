import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'

/** People of each option in a place, and where the numbers are from. */
export interface Population {
  people: ReadonlyMap<string, number>
  /** Names of the areas that were counted; empty for the whole place. */
  areas: string[]
  source: string
  year: number
  licence: string
}

/** How many people who took part gave an option; null if the number is hidden. */
export interface TookPart {
  option: string
  people: SuppressibleCount
}

interface ComparedOption extends TookPart {
  /** Of the people who took part and gave an option that the population has. Null if it is hidden, or if numbers it depends on are. */
  share: number | null
  population: number | null
  populationShare: number | null
  /** The option's share among participants, divided by its share in the population. */
  ratio: number | null
}

/** From this ratio on, a group is no longer among those with far fewer participants than its share of the population. */
const FAR_FEWER = 0.5

interface Comparison {
  options: ComparedOption[]
  /** How many people the shares are computed from; null if hidden numbers make that unknown. */
  compared: number | null
  /** The smaller of both shares, summed over all options: 1 if they are the same. Null if a share is hidden. */
  index: number | null
  /** Options with far fewer participants than their share of the population, the smallest ratio first. Hidden ones are not among them. */
  unheard: ComparedOption[]
}

/**
 * Compares who took part with who lives there. Numbers that are hidden stay so, and no share is shown that they could be computed from.
 * @param took people by option, including options with none; '' counts people without an answer
 * @param all everybody who took part, if that may be known: hidden numbers together stand for at least five people
 */
export function compareWithPopulation(
  took: readonly TookPart[],
  population: ReadonlyMap<string, number>,
  all: number | null = null,
): Comparison {
  const everybody = [...population.values()].reduce((sum, people) => sum + people, 0)
  const comparable = took.filter(({ option }) => population.has(option))
  const sumUp = (some: readonly TookPart[]) =>
    some.some(({ people }) => people === null) ? null : some.reduce((sum, { people }) => sum + (people ?? 0), 0)
  const others = sumUp(took.filter((one) => !comparable.includes(one)))
  const compared = sumUp(comparable) ?? (all === null || others === null ? null : Math.max(0, all - others))
  const options = took.map(({ option, people }): ComparedOption => {
    const lives = population.get(option) ?? null
    const populationShare = lives === null || everybody === 0 ? null : lives / everybody
    const share = populationShare === null || people === null || !compared ? null : people / compared
    return {
      option,
      people,
      share,
      population: lives,
      populationShare,
      ratio: share === null || !populationShare ? null : share / populationShare,
    }
  })
  const pairs = options.filter(({ populationShare }) => populationShare !== null)
  const isWhole =
    pairs.length > 0 &&
    pairs.every(({ share }) => share !== null) &&
    [...population.keys()].every((id) => options.some(({ option }) => option === id))
  return {
    options,
    compared,
    index: isWhole ? pairs.reduce((sum, { share, populationShare }) => sum + Math.min(share ?? 0, populationShare ?? 0), 0) : null,
    unheard: pairs.filter(({ ratio }) => ratio !== null && ratio < FAR_FEWER).toSorted((a, b) => (a.ratio ?? 0) - (b.ratio ?? 0)),
  }
}
