import { type CountryCode, findPhoneNumbersInText } from 'libphonenumber-js'
import type { PersonalDataKind, PersonalPassage } from '../../record/personal-data.schema.ts'

export interface FoundPersonalData extends PersonalPassage {
  start: number
  end: number
  /** The same for each way to write it: `+15145550123`. */
  key: string
}

type Finder = (text: string, country: CountryCode | undefined) => FoundPersonalData[]

/** Countries whose numbers have no leading zero at home, and are written in groups of three, three and four digits. */
const AMERICAN: readonly (CountryCode | undefined)[] = ['CA', 'US']

/** Passages in their order. Where two kinds claim the same one, the more specific kind has it. */
export function findPersonalData(text: string, country: CountryCode | undefined): FoundPersonalData[] {
  const found: FoundPersonalData[] = []
  for (const find of FINDERS)
    for (const each of find(text, country)) if (!found.some(({ start, end }) => each.start < end && start < each.end)) found.push(each)
  return found.toSorted((one, other) => one.start - other.start)
}

function findMatches(
  text: string,
  pattern: RegExp,
  kind: PersonalDataKind,
  isMeant: (match: string, start: number) => boolean = () => true,
): FoundPersonalData[] {
  return Array.from(text.matchAll(pattern), (match) => ({ match: match[0], start: match.index }))
    .filter(({ match, start }) => isMeant(match, start))
    .map(({ match, start }) => ({ kind, text: match, start, end: start + match.length, key: `${kind} ${foldPassage(match)}` }))
}

const foldPassage = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}@.]/gu, '')
const getDigits = (text: string): string => text.replace(/\D/g, '')

/** Not a part of a longer number, reference or word. */
const START = String.raw`(?<![\p{L}\p{N}/_#@])(?<!\d[.,-])`
const END = String.raw`(?![\p{L}\p{N}/_@])(?![.,-]\d)`

const EMAIL = /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}](?:[\p{L}\p{N}._%+-]{0,63})@[\p{L}\p{N}](?:[\p{L}\p{N}-]*\.)+\p{L}{2,24}(?![\p{L}\p{N}])/gu

const CARD = new RegExp(`${START}\\d(?:[ -]?\\d){12,18}${END}`, 'gu')
/** Visa, Mastercard, American Express, Discover. */
const CARD_ISSUERS = /^(?:4\d{12}(?:\d{3}){0,2}|5[1-5]\d{14}|2[2-7]\d{14}|3[47]\d{13}|6(?:011|5\d\d)\d{12})$/

const INSURANCE = new RegExp(
  `${START}(?!BG|GB|NK|KN|TN|NT|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\\d\\d ?\\d\\d ?\\d\\d ?[A-D]${END}`,
  'giu',
)
const SOCIAL = new RegExp(`${START}[1-79]\\d\\d([ -]?)\\d{3}\\1\\d{3}${END}`, 'gu')

/** Every second digit from the right is doubled; the sum ends in 0. */
function hasCheckDigit(digits: string): boolean {
  const sum = Array.from(digits)
    .toReversed()
    .reduce((total, digit, at) => {
      const value = Number(digit) * (at % 2 ? 2 : 1)
      return total + (value > 9 ? value - 9 : value)
    }, 0)
  return sum % 10 === 0
}

const AMOUNT_BEFORE = /[$£€]\s?$/
const AMOUNT_AFTER =
  /^\s?(?:[$£€%]|(?:dollars?|pounds?|euros?|people|residents?|households?|litres?|tonnes?|km|kwh|personnes?|habitants?|ménages?|o bobl|punt|bunnoedd|punnoedd)(?!\p{L}))/iu
const isAmount = (text: string, start: number, end: number): boolean =>
  AMOUNT_BEFORE.test(text.slice(0, start)) || AMOUNT_AFTER.test(text.slice(end))

const DATE = /^\(?(?:(?:19|20)\d\d[-. ]\d{1,2}[-. ]\d{1,2}|\d{1,2}[-. ]\d{1,2}[-. ](?:19|20)\d\d)(?!\d)/
/** Free of charge, shared or premium: nobody's own. */
const SERVICE_NUMBERS = /^\+(?:44(?:3|8|9)|1(?:800|822|833|844|855|866|877|888|900))/

/** Written as people write numbers to call, not as an amount, a date or a reference. */
function isWrittenAsPhone(written: string, country: CountryCode | undefined): boolean {
  if (/[/,;]/.test(written) || DATE.test(written)) return false
  if (/^\(?\+/.test(written)) return true
  if (AMERICAN.includes(country)) return /^(?:1[ .-]?)?(?:\d{3}[ .-]?|\(\d{3}\) ?)\d{3}[ .-]?\d{4}$/.test(written)
  return /^\(?0/.test(written)
}

const findPhones: Finder = (text, country) =>
  findPhoneNumbersInText(text, country ? { defaultCountry: country } : {}).flatMap(({ number, startsAt, endsAt }) => {
    const written = text.slice(startsAt, endsAt)
    const [before, after] = [text.slice(0, startsAt), text.slice(endsAt)]
    const isPart = /[\p{L}\p{N}/_#@=]$|\d[.,-]$/u.test(before) || /^[\p{L}\p{N}/_@]|^[.,-]\d|^-\p{L}/u.test(after)
    if (isPart || SERVICE_NUMBERS.test(number.number) || isAmount(text, startsAt, endsAt) || !isWrittenAsPhone(written, country)) return []
    return [{ kind: 'phone' as const, text: written, start: startsAt, end: endsAt, key: `phone ${number.number}` }]
  })

const POSTCODE = String.raw`(?:[A-Za-z]{1,2}\d[A-Za-z\d]?\s?\d[ABD-HJLNP-UW-Zabd-hjlnp-uw-z]{2}|[ABCEGHJ-NPRSTVXYabceghj-nprstvxy]\d[ABCEGHJ-NPRSTV-Zabceghj-nprstv-z][ -]?\d[ABCEGHJ-NPRSTV-Zabceghj-nprstv-z]\d)`
const STREET = String.raw`(?:[Ss]treet|[Ss]t|[Rr]oad|[Rr]d|[Ll]ane|[Aa]venue|[Aa]ve?|[Dd]rive|[Cc]lose|[Cc]rescent|[Tt]errace|[Gg]ardens|[Rr]ue|[Bb]oul(?:evard)?|[Cc]hemin|[Cc]ôte|[Rr]ang|[Rr]oute|[Aa]llée|[Ss]tryd|[Hh]eol|[Ff]fordd|[Ll]ôn|[Rr]hodfa|[Cc]los|[Tt]eras|[Mm]aes)`
const SMALL_WORD = String.raw`(?:of|the|and|de|du|des|la|le|les|à|y|yr|a|o|app|apt|appt|unit|unité|bureau|nord|sud|est|ouest|#?\d{1,4}[A-Za-z]?)`
/** A house number, a name of a street and a town, then a whole postcode. "The 14 bus to CF10 1AA" is none. */
const ADDRESS = new RegExp(
  `${START}(?!(?:19|20)\\d\\d\\s)\\d{1,4}[A-Za-z]?,?\\s+(?:(?:\\p{Lu}[\\p{L}'’-]*|${STREET}|[dl]['’]\\p{Lu}[\\p{L}-]*)|(?!(?:on|at|in|to|by|from|near|and|buses|bus|people|trees|a|o|ar|yn|i|à|au|en|sur|de|du)\\s)\\p{L}+\\s+(?:(?!on\\s|at\\s|in\\s)\\p{L}+\\s+)?${STREET})[.,]?` +
    `(?:[\\s(]+(?:\\p{Lu}[\\p{L}'’-]*|${STREET}|${SMALL_WORD}|[dl]['’]\\p{Lu}[\\p{L}-]*)[.,)]*){0,9}[\\s(]+${POSTCODE}${END}`,
  'gu',
)

const FINDERS: readonly Finder[] = [
  (text) => findMatches(text, EMAIL, 'email'),
  (text) =>
    findMatches(text, CARD, 'card', (match) => {
      const digits = getDigits(match)
      return CARD_ISSUERS.test(digits) && hasCheckDigit(digits)
    }),
  (text) => findMatches(text, INSURANCE, 'national-insurance'),
  (text, country) =>
    country === 'CA'
      ? findMatches(
          text,
          SOCIAL,
          'social-insurance',
          (match, start) => hasCheckDigit(getDigits(match)) && !isAmount(text, start, start + match.length),
        )
      : [],
  (text) => findMatches(text, ADDRESS, 'address'),
  findPhones,
]
