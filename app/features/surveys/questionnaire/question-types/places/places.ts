import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { column, NUMBER, TEXT, type QuestionModule } from '../question-type.ts'
import { lengthOf, readNumber, tidyText } from '../text-tools.ts'

const ADDRESS_PARTS = ['street', 'town', 'postcode'] as const
type Address = Extract<Answer, { address: unknown }>['address']
type Place = Extract<Answer, { place: unknown }>['place']

const LONGEST_LINE = 200
const POSTCODE = /^[\p{L}\d][\p{L}\d -]{1,10}[\p{L}\d]$/u

const addressIn = (answer: Answer): Address | undefined => (typeof answer === 'object' && 'address' in answer ? answer.address : undefined)
const placeIn = (answer: Answer): Place | undefined => (typeof answer === 'object' && 'place' in answer ? answer.place : undefined)

/** Which lines are asked. */
export const partsOf = (question: QuestionOf<'address'>): readonly (keyof Address)[] =>
  question.ask === 'postcode' ? ['postcode'] : ADDRESS_PARTS

export const address: QuestionModule<QuestionOf<'address'>> = {
  read: (question, sent) =>
    address.tidy(question, { address: Object.fromEntries(partsOf(question).map((part) => [part, sent(part)[0] ?? ''])) }),
  fields: (_question, answer) => ({ ...addressIn(answer) }),
  tidy(_question, answer) {
    const given = addressIn(answer)
    if (!given) return answer
    const lines = ADDRESS_PARTS.map((part) => [part, tidyText(given[part] ?? '', true)] as const).filter(([, line]) => line)
    const kept = Object.fromEntries(lines.map(([part, line]) => [part, part === 'postcode' ? line.toUpperCase() : line]))
    return lines.length > 0 ? { address: kept } : undefined
  },
  check(question, answer): Fault | undefined {
    const given = addressIn(answer)
    if (!given) return { code: 'wrong-type' }
    const long = ADDRESS_PARTS.find((part) => lengthOf(given[part] ?? '') > LONGEST_LINE)
    if (long) return { code: 'too-long', pointer: `/${long}`, values: { max: LONGEST_LINE } }
    const lacking = question.required ? partsOf(question).find((part) => !given[part]) : undefined
    if (lacking) return { code: 'required', pointer: `/${lacking}` }
    return given.postcode && !POSTCODE.test(given.postcode) ? { code: 'wrong-format', pointer: '/postcode' } : undefined
  },
  words: (_question, answer) => ADDRESS_PARTS.flatMap((part) => addressIn(answer)?.[part] ?? []),
  columns: (question, say) =>
    partsOf(question).map((part) => column(question, part, say(question.title), (answer) => addressIn(answer)?.[part] ?? null)),
  parts: partsOf,
  missing: 'write',
}

const COORDINATES = [
  ['lat', 90],
  ['lng', 180],
] as const

export const place: QuestionModule<QuestionOf<'place'>> = {
  read(question, sent) {
    const given: Place = { address: sent('address')[0] ?? '' }
    for (const [part] of COORDINATES) {
      const value = readNumber(sent(part)[0] ?? '')
      if (value !== undefined) given[part] = value
    }
    return place.tidy(question, { place: given })
  },
  fields(_question, answer) {
    const { address: words = '', lat, lng } = placeIn(answer) ?? {}
    return { address: words, lat: String(lat ?? ''), lng: String(lng ?? '') }
  },
  tidy(_question, answer) {
    const given = placeIn(answer)
    if (!given) return answer
    const words = tidyText(given.address ?? '', true)
    const kept: Place = { ...(words && { address: words }) }
    for (const [part] of COORDINATES) if (given[part] !== undefined && given[part] !== '') kept[part] = given[part]
    return Object.keys(kept).length > 0 ? { place: kept } : undefined
  },
  check(_question, answer): Fault | undefined {
    const given = placeIn(answer)
    if (!given) return { code: 'wrong-type' }
    if (lengthOf(given.address ?? '') > LONGEST_LINE) return { code: 'too-long', pointer: '/address', values: { max: LONGEST_LINE } }
    for (const [part, most] of COORDINATES) {
      const value = given[part]
      if (value === undefined) continue
      if (typeof value !== 'number') return { code: 'not-a-number', pointer: `/${part}` }
      if (Math.abs(value) > most) return { code: 'out-of-range', pointer: `/${part}`, values: { min: -most, max: most } }
    }
    const half = (given.lat === undefined) !== (given.lng === undefined)
    return half ? { code: 'required', pointer: given.lat === undefined ? '/lat' : '/lng' } : undefined
  },
  words(_question, answer) {
    const { address: words, lat, lng } = placeIn(answer) ?? {}
    return [...(words ? [words] : []), ...(lat !== undefined && lng !== undefined ? [`${lat}, ${lng}`] : [])]
  },
  columns: (question, say) =>
    (['address', 'lat', 'lng'] as const).map((part) =>
      column(question, part, say(question.title), (answer) => placeIn(answer)?.[part] ?? null, part === 'address' ? TEXT : NUMBER),
    ),
  parts: () => ['address', 'lat', 'lng'],
  missing: 'place',
}
