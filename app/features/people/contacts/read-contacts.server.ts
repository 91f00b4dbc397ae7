import { parse } from 'csv-parse/sync'
import * as v from 'valibot'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { requireValid } from '#app/lib/validate.ts'
import { emailSchema, loginSchema } from '#app/features/accounts/accounts.schema.ts'
import { MAX_CONTACTS } from './contacts.schema.ts'

/** The headings that a column is found by, in every language of the product. */
const HEADINGS = {
  email: ['email', 'e-mail', 'email address', 'courriel', 'adresse courriel', 'e-bost', 'ebost', 'cyfeiriad e-bost'],
  name: ['name', 'nom', 'enw'],
  language: ['language', 'langue', 'iaith'],
  consent: ['consent', 'consentement', 'cydsyniad', 'caniatâd', 'caniatad'],
} as const
type Column = keyof typeof HEADINGS

const YES = new Set(['yes', 'y', 'true', '1', 'x', 'oui', 'o', 'ydw', 'ie'])
const NO = new Set(['', 'no', 'n', 'false', '0', 'non', 'nac ydw', 'na'])

export interface Contact {
  row: number
  email: string
  login: string
  language: Language
  /** Undefined if the file has no column for it. */
  agrees: boolean | undefined
  fault: { code: Fault['code']; column: string } | null
}

/**
 * Reads a table of contacts. Only an address is needed; a name is otherwise taken from it. A cell that looks like a formula is text here, and
 * is escaped in whatever is downloaded later.
 * @throws {AppError} `invalid` with `unreadable-file` or `too-many` at `/file`, or `required` at `/email` if no column has addresses
 */
export function readContacts(text: string, { locale, languages }: { locale: Language; languages: readonly Language[] }): Contact[] {
  const [head, ...lines] = parseLines(text)
  const places = new Map<Column, number>()
  for (const [at, heading] of (head?.cells ?? []).entries()) {
    const found = (Object.keys(HEADINGS) as Column[]).find((name) => HEADINGS[name].some((word) => word === heading.trim().toLowerCase()))
    if (found && !places.has(found)) places.set(found, at)
  }
  if (!places.has('email')) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  return lines.map(({ cells, row }) => {
    const cellOf = (name: Column) => (places.has(name) ? (cells[places.get(name) ?? 0] ?? '').trim() : '')
    const typedName = cellOf('name')
    const login = typedName || (cellOf('email').split('@')[0] ?? '')
    const language = cellOf('language') ? languages.find((code) => matchesLanguage(code, cellOf('language'))) : locale
    const consent = cellOf('consent').toLowerCase()
    const faults = [
      findFault('email', emailSchema, cellOf('email')),
      typedName ? findFault('name', loginSchema, typedName) : null,
      language ? null : { code: 'not-a-choice' as const, column: 'language' },
      YES.has(consent) || NO.has(consent) ? null : { code: 'not-a-choice' as const, column: 'consent' },
    ]
    return {
      row,
      email: cellOf('email').toLowerCase(),
      login,
      language: language ?? locale,
      agrees: places.has('consent') ? YES.has(consent) : undefined,
      fault: faults.find((fault) => fault !== null) ?? null,
    }
  })
}

const matchesLanguage = (code: Language, typed: string): boolean =>
  [code, code.split('-')[0]].some((known) => known?.toLowerCase() === typed.toLowerCase()) && LANGUAGES.includes(code)

function findFault(column: Column, schema: v.GenericSchema<string, string>, value: string): Contact['fault'] {
  try {
    requireValid(schema, value)
    return null
  } catch (error) {
    return { code: (isAppError(error) && error.faults[0]?.code) || 'wrong-format', column }
  }
}

function parseLines(text: string): { cells: string[]; row: number }[] {
  const createRefusal = (code: 'unreadable-file' | 'too-many', values = {}) =>
    new AppError('invalid', { faults: [{ code, pointer: '/file', values }] })
  if (/[\0\uFFFD]/.test(text)) throw createRefusal('unreadable-file')
  const [first = ''] = text.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  const lines = parseText(text, delimiter)
    .map((cells, index) => ({ cells, row: index + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim()))
  if (lines.length > MAX_CONTACTS + 1) throw createRefusal('too-many', { max: MAX_CONTACTS })
  if (lines.length < 2) throw createRefusal('unreadable-file')
  return lines

  function parseText(content: string, separator: string): string[][] {
    try {
      return parse(content, { bom: true, delimiter: separator, relax_column_count: true, to: 2 * MAX_CONTACTS })
    } catch {
      throw createRefusal('unreadable-file')
    }
  }
}
