import type { Answer, Answers } from '../surveys.schema.ts'

/**
 * What results count in responses: for each question, that it was answered (value ''), and what was said, in as few distinct values as its
 * figure shows. Tallies depend only on the shape of an answer, so counting needs no definition and a rebuilt count equals the stored one.
 *
 * | answer                | values                                              |
 * | --------------------- | --------------------------------------------------- |
 * | choices               | ids of options                                      |
 * | numbers               | the number, coarser the larger it is; their total   |
 * | grids                 | `<row>.` answered, `<row>.<column>`                 |
 * | rankings              | `<option>.<place>`                                  |
 * | budgets               | `<option>`, with the total of the amounts           |
 * | days, times           | `2026-03`, `14h`                                    |
 * | addresses             | `area:M5V`                                          |
 * | places                | `square:51.480,-3.180`, of those given as a point   |
 */
export interface Tally {
  question: string
  value: string
  count: number
  total: number
}

/** The question of tallies that describe a response as a whole: `v2` version, `l` language, `c` source, `s` seconds. */
export const WHOLE_RESPONSE = ''

/** The tally that counts all responses. */
export const findWholeTally = <Counted extends Pick<Tally, 'question' | 'value'>>(tallies: readonly Counted[]): Counted | undefined =>
  tallies.find(({ question, value }) => question === WHOLE_RESPONSE && value === '')

/** How many responses are counted. */
export const countTallied = (tallies: readonly Pick<Tally, 'question' | 'value' | 'count'>[]): number => findWholeTally(tallies)?.count ?? 0

export interface TalliedResponse {
  version: number
  language: string
  source: string
  seconds: number | null
  answers: Answers
}

export function tallyResponse({ version, language, source, seconds, answers }: TalliedResponse): Tally[] {
  return [
    createTally(WHOLE_RESPONSE, ''),
    createTally(WHOLE_RESPONSE, `v${version}`),
    createTally(WHOLE_RESPONSE, `l${language}`),
    createTally(WHOLE_RESPONSE, `c${source}`),
    ...(seconds === null ? [] : [createTally(WHOLE_RESPONSE, `s${roundCoarsely(seconds)}`)]),
    ...Object.entries(answers).flatMap(([question, answer]) => [createTally(question, ''), ...tallyAnswer(question, answer)]),
  ]
}

const createTally = (question: string, value: string, total = 0): Tally => ({ question, value, count: 1, total })

function tallyAnswer(question: string, answer: Answer): Tally[] {
  if (typeof answer === 'number') return [createTally(question, String(roundCoarsely(answer)), answer)]
  if (typeof answer === 'string') return tallyText(question, answer)
  if ('choice' in answer) return [createTally(question, answer.choice)]
  if ('choices' in answer) return [...new Set(answer.choices)].map((choice) => createTally(question, choice))
  if ('rows' in answer)
    return Object.entries(answer.rows).flatMap(([row, chosen]) =>
      chosen.length === 0
        ? []
        : [createTally(question, `${row}.`), ...[...new Set(chosen)].map((column) => createTally(question, `${row}.${column}`))],
    )
  if ('ranks' in answer)
    return Object.entries(answer.ranks).flatMap(([option, place]) =>
      typeof place === 'number' ? [createTally(question, `${option}.${place}`, place)] : [],
    )
  if ('amounts' in answer)
    return Object.entries(answer.amounts).flatMap(([option, amount]) =>
      typeof amount === 'number' && amount !== 0 ? [createTally(question, option, amount)] : [],
    )
  if ('place' in answer) {
    const { lat, lng } = answer.place
    return typeof lat === 'number' && typeof lng === 'number' ? [createTally(question, formatSquare(lat, lng))] : []
  }
  const area = 'address' in answer ? findPostcodeArea(answer.address.postcode ?? '') : undefined
  return area ? [createTally(question, `area:${area}`)] : []
}

function tallyText(question: string, text: string): Tally[] {
  const day = /^(\d{4}-\d{2})-\d{2}$/.exec(text)
  if (day) return [createTally(question, day[1] ?? '')]
  const clock = /^(\d{2}):\d{2}$/.exec(text)
  return clock ? [createTally(question, `${clock[1]}h`)] : []
}

/**
 * Rounds a number for display in figures: one decimal up to 100, two significant digits above, so that a question has a few hundred values
 * at most.
 */
export function roundCoarsely(value: number): number {
  if (Math.abs(value) <= 100) return Math.round(value * 10) / 10
  return Number(value.toPrecision(2))
}

/** The part of a postcode that names a district but no house: M5V of M5V 3L9, CF10 of CF10 3NP, 2000 of 2000. */
export function findPostcodeArea(postcode: string): string | undefined {
  const bare = postcode.toUpperCase().replace(/[^A-Z0-9]/g, '')
  if (/^[A-Z]\d[A-Z](\d[A-Z]\d)?$/.test(bare)) return bare.slice(0, 3)
  if (/^[A-Z]{1,2}\d[A-Z\d]?\d[A-Z]{2}$/.test(bare)) return bare.slice(0, -3)
  return /^\d{4,5}$/.test(bare) ? bare : undefined
}

/** In degrees: about 550 m south to north, and 600 to 900 m west to east at the latitudes of cities. */
const SQUARE_DEGREES = { lat: 0.005, lng: 0.01 } as const

/** The square that contains a point, named by its south-western corner: `square:51.480,-3.180`. */
export function formatSquare(lat: number, lng: number): string {
  // Round to six decimals first (well under a metre): 51.48 / 0.005 is slightly less than 10,296.
  const formatCorner = (value: number, step: number) =>
    (Math.floor(Number((value / step).toFixed(6))) * step).toFixed(3).replace(/^-(0\.0+)$/, '$1')
  return `square:${formatCorner(lat, SQUARE_DEGREES.lat)},${formatCorner(lng, SQUARE_DEGREES.lng)}`
}

/** Centre of a square, as longitude and latitude; undefined if the value is not a square. */
export function findSquareCentre(value: string): readonly [longitude: number, latitude: number] | undefined {
  const named = /^square:(-?\d+\.\d+),(-?\d+\.\d+)$/.exec(value)
  if (!named) return undefined
  const roundDegrees = (degrees: number) => Number(degrees.toFixed(4))
  return [roundDegrees(Number(named[2]) + SQUARE_DEGREES.lng / 2), roundDegrees(Number(named[1]) + SQUARE_DEGREES.lat / 2)]
}

/** Accumulates tallies. */
export class TallySums {
  readonly #sums = new Map<string, Tally>()

  add(tally: Tally, by = 1): void {
    const key = `${tally.question}\n${tally.value}`
    const known = this.#sums.get(key)
    if (known) {
      known.count += by * tally.count
      known.total += by * tally.total
    } else this.#sums.set(key, { ...tally, count: by * tally.count, total: by * tally.total })
  }

  /** Sorted, so that two transactions updating the same counts cannot deadlock. */
  list(): Tally[] {
    return [...this.#sums].toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, mark]) => mark)
  }
}
