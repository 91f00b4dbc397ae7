import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { createColumn, NUMBER_CONTENT, TEXT_CONTENT, type QuestionModule } from '../question-type.ts'
import { countCharacters, parseTypedNumber, tidyText } from '../text-tools.ts'

const ADDRESS_PARTS = ['street', 'town', 'postcode'] as const
type Address = Extract<Answer, { address: unknown }>['address']
type Place = Extract<Answer, { place: unknown }>['place']

const MAX_LINE_LENGTH = 200
const POSTCODE = /^[\p{L}\d][\p{L}\d -]{1,10}[\p{L}\d]$/u

const findAddress = (answer: Answer): Address | undefined =>
  typeof answer === 'object' && 'address' in answer ? answer.address : undefined
const findPlace = (answer: Answer): Place | undefined => (typeof answer === 'object' && 'place' in answer ? answer.place : undefined)

/** The address lines that the question asks for. */
export const listAddressParts = (question: QuestionOf<'address'>): readonly (keyof Address)[] =>
  question.ask === 'postcode' ? ['postcode'] : ADDRESS_PARTS

export const address: QuestionModule<QuestionOf<'address'>> = {
  read: (question, sent) =>
    address.tidy(question, { address: Object.fromEntries(listAddressParts(question).map((part) => [part, sent(part)[0] ?? ''])) }),
  fields: (_question, answer) => ({ ...findAddress(answer) }),
  tidy(_question, answer) {
    const given = findAddress(answer)
    if (!given) return answer
    const lines = ADDRESS_PARTS.map((part) => [part, tidyText(given[part] ?? '', true)] as const).filter(([, line]) => line)
    const kept = Object.fromEntries(lines.map(([part, line]) => [part, part === 'postcode' ? line.toUpperCase() : line]))
    return lines.length > 0 ? { address: kept } : undefined
  },
  check(question, answer): Fault | undefined {
    const given = findAddress(answer)
    if (!given) return { code: 'wrong-type' }
    const long = ADDRESS_PARTS.find((part) => countCharacters(given[part] ?? '') > MAX_LINE_LENGTH)
    if (long) return { code: 'too-long', pointer: `/${long}`, values: { max: MAX_LINE_LENGTH } }
    const lacking = question.required ? listAddressParts(question).find((part) => !given[part]) : undefined
    if (lacking) return { code: 'required', pointer: `/${lacking}` }
    return given.postcode && !POSTCODE.test(given.postcode) ? { code: 'wrong-format', pointer: '/postcode' } : undefined
  },
  words: (_question, answer) => ADDRESS_PARTS.flatMap((part) => findAddress(answer)?.[part] ?? []),
  columns: (question, say) =>
    listAddressParts(question).map((part) =>
      createColumn(question, part, say(question.title), (answer) => findAddress(answer)?.[part] ?? null),
    ),
  parts: listAddressParts,
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
      const value = parseTypedNumber(sent(part)[0] ?? '')
      if (value !== undefined) given[part] = value
    }
    return place.tidy(question, { place: given })
  },
  fields(_question, answer) {
    const { address: words = '', lat, lng } = findPlace(answer) ?? {}
    return { address: words, lat: String(lat ?? ''), lng: String(lng ?? '') }
  },
  tidy(_question, answer) {
    const given = findPlace(answer)
    if (!given) return answer
    const words = tidyText(given.address ?? '', true)
    const kept: Place = { ...(words && { address: words }) }
    for (const [part] of COORDINATES) if (given[part] !== undefined && given[part] !== '') kept[part] = given[part]
    return Object.keys(kept).length > 0 ? { place: kept } : undefined
  },
  check(_question, answer): Fault | undefined {
    const given = findPlace(answer)
    if (!given) return { code: 'wrong-type' }
    if (countCharacters(given.address ?? '') > MAX_LINE_LENGTH)
      return { code: 'too-long', pointer: '/address', values: { max: MAX_LINE_LENGTH } }
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
    const { address: words, lat, lng } = findPlace(answer) ?? {}
    return [...(words ? [words] : []), ...(lat !== undefined && lng !== undefined ? [`${lat}, ${lng}`] : [])]
  },
  columns: (question, say) =>
    (['address', 'lat', 'lng'] as const).map((part) =>
      createColumn(
        question,
        part,
        say(question.title),
        (answer) => findPlace(answer)?.[part] ?? null,
        part === 'address' ? TEXT_CONTENT : NUMBER_CONTENT,
      ),
    ),
  parts: () => ['address', 'lat', 'lng'],
  missing: 'place',
}
