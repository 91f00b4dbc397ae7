import { type Tally, type TalliedResponse, TallySums, tallyResponse } from './tallies.ts'

/** Responses per block, and bits per bitmap. */
export const BLOCK_SIZE = 8192
/** The digit of bitmaps that record who gave a value. */
export const PRESENCE_DIGIT = -1
/** For totals that belong to all numbers of a question together: the mean is the same whichever number they are added to. */
const ALL_NUMBERS = '*'
/** Numbers keep six decimal places. */
const DECIMAL_SCALE = 1_000_000
const NEGATIVE_DIGIT_OFFSET = 100

/** A response and its position in the block, from 0. */
export interface PlacedResponse {
  place: number
  response: TalliedResponse
}

/** Who in a block gave a value; for amounts, whose amount has a 1 at this binary digit. */
export interface BitRow {
  question: string
  value: string
  digit: number
  weight: number
  bits: Uint8Array
}

interface BitRowDraft extends BitRow {
  totals: [place: number, total: number][]
  varies: boolean
}

/** Same bit order as the database: the first position is the highest bit. */
export function setBit(bits: Uint8Array, place: number): void {
  bits[place >> 3] = (bits[place >> 3] ?? 0) | (128 >> (place & 7))
}

export const createEmptyBits = (): Uint8Array => new Uint8Array(BLOCK_SIZE / 8)

/** As a PostgreSQL bit string literal. */
export const formatBits = (bits: Uint8Array): string => `x${Buffer.from(bits.buffer, bits.byteOffset, bits.length).toString('hex')}`

/** Everything the responses of a block say, as bitmaps: the same tallies that the counts are built from. */
export function buildBlockRows(given: readonly PlacedResponse[]): BitRow[] {
  const said = new Map<string, BitRowDraft>()
  const numbers = new Set<string>()
  for (const { place, response } of given) {
    for (const [question, answer] of Object.entries(response.answers)) if (typeof answer === 'number') numbers.add(question)
    for (const { question, value, total } of tallyResponse(response)) {
      const key = `${question}\n${value}`
      let row = said.get(key)
      if (!row)
        said.set(key, (row = { question, value, digit: PRESENCE_DIGIT, weight: total, bits: createEmptyBits(), totals: [], varies: false }))
      setBit(row.bits, place)
      row.varies ||= total !== row.weight
      if (total !== 0) row.totals.push([place, total])
    }
  }
  const owners = Map.groupBy(said.values(), ({ question, value }) => `${question}\n${numbers.has(question) ? ALL_NUMBERS : value}`)
  return [...owners.values()].flatMap((rows) => {
    const [{ question, value } = { question: '', value: '' }] = rows
    if (!rows.some((row) => row.varies)) return rows.map(toBitRow)
    const owner = numbers.has(question) ? ALL_NUMBERS : value
    return [
      ...rows.map((row) => toBitRow({ ...row, weight: 0 })),
      ...buildDigitRows(
        question,
        owner,
        rows.flatMap((row) => row.totals),
      ),
    ]
  })
}

const toBitRow = ({ question, value, digit, weight, bits }: BitRowDraft): BitRow => ({ question, value, digit, weight, bits })

/** Splits numbers into binary digits: the sum over any subset of the block is the sum over its digits. */
function buildDigitRows(question: string, value: string, totals: readonly [place: number, total: number][]): BitRow[] {
  const scale = totals.every(([, total]) => Number.isInteger(total)) ? 1 : DECIMAL_SCALE
  const rows = new Map<number, BitRow>()
  for (const [place, total] of totals) {
    let rest = Math.round(Math.abs(total) * scale)
    for (let at = 0; rest > 0; at++, rest = Math.floor(rest / 2)) {
      if (rest % 2 === 0) continue
      const digit = total < 0 ? at + NEGATIVE_DIGIT_OFFSET : at
      let row = rows.get(digit)
      if (!row) rows.set(digit, (row = { question, value, digit, weight: (Math.sign(total) * 2 ** at) / scale, bits: createEmptyBits() }))
      setBit(row.bits, place)
    }
  }
  return [...rows.values()]
}

/** How many of a cohort have a row's bit set, and what that adds up to. */
export interface BitCount extends Tally {
  digit: number
}

/** Adds counted bits as tallies, as if they had been read from the responses. */
export function addBitCounts(sums: TallySums, counted: readonly BitCount[]): void {
  const someNumber = new Map<string, string>()
  for (const { question, value, count, digit } of counted)
    if (digit === PRESENCE_DIGIT && count > 0 && value !== '' && !someNumber.has(question)) someNumber.set(question, value)
  for (const { question, value, count, total, digit } of counted) {
    if (digit === PRESENCE_DIGIT) sums.add({ question, value, count, total })
    else sums.add({ question, value: value === ALL_NUMBERS ? (someNumber.get(question) ?? '') : value, count: 0, total })
  }
}
