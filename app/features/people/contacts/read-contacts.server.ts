import { parse } from 'csv-parse/sync'
import * as v from 'valibot'
import { AppError, type Fault, isAppError } from '#app/lib/app-error.ts'
import { LANGUAGES, type Language } from '#app/lib/languages.ts'
import { requireValid } from '#app/lib/validate.ts'
import type { WorkbookTable } from '#app/features/opencities/portals/read-workbook.server.ts'
import { readInOwnProcess } from '#app/server/read-in-own-process.ts'
import { emailSchema, loginSchema } from '#app/features/accounts/accounts.schema.ts'
import { type ContactsInput, MAX_COLUMNS, MAX_CONTACTS } from './contacts.schema.ts'

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

/** A table of contacts: its headings, and the rows below. */
export interface ContactTable {
  headings: string[]
  rows: { cells: string[]; row: number }[]
}

/** The columns that are read as they are named, whatever the site asks people. */
export function findOwnColumns({ headings }: ContactTable): Map<Column, number> {
  const places = new Map<Column, number>()
  for (const [at, heading] of headings.entries()) {
    const found = (Object.keys(HEADINGS) as Column[]).find((name) => HEADINGS[name].some((word) => word === heading.trim().toLowerCase()))
    if (found && !places.has(found)) places.set(found, at)
  }
  return places
}

/**
 * Reads the contacts of a table. Only an address is needed; a name is otherwise taken from it. A cell that looks like a formula is text here, and
 * is escaped in whatever is downloaded later.
 * @throws {AppError} `invalid` with `required` at `/email` if no column has addresses
 */
export function readContacts(table: ContactTable, { locale, languages }: { locale: Language; languages: readonly Language[] }): Contact[] {
  const places = findOwnColumns(table)
  if (!places.has('email')) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/email' }] })
  return table.rows.map(({ cells, row }) => {
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

const createRefusal = (code: 'unreadable-file' | 'too-many', values = {}) =>
  new AppError('invalid', { faults: [{ code, pointer: '/file', values }] })

/**
 * @param owner whose files are read one after another
 * @throws {AppError} `invalid` with `unreadable-file`, `file-too-complex` or `too-many` at `/file`
 */
export async function readContactTable({ kind, content }: ContactsInput['file'], owner: string): Promise<ContactTable> {
  const all = kind === 'text' ? parseText(content) : await readWorkbook(content, owner)
  const [head, ...rows] = all
    .map((cells, index) => ({ cells: cells.slice(0, MAX_COLUMNS), row: index + 1 }))
    .filter(({ cells }) => cells.some((cell) => cell.trim()))
  if (rows.length > MAX_CONTACTS) throw createRefusal('too-many', { max: MAX_CONTACTS })
  if (!head || rows.length === 0) throw createRefusal('unreadable-file')
  return { headings: head.cells, rows }
}

/** The first sheet of a workbook. It is unpacked in a process that has nothing else. */
async function readWorkbook(content: string, owner: string): Promise<string[][]> {
  try {
    const { header, records } = await readInOwnProcess<WorkbookTable>('city-workbook', { file: Buffer.from(content, 'base64') }, owner)
    return [header, ...records.map((cells) => cells.map((cell) => String(cell ?? '')))]
  } catch (error) {
    if (isAppError(error)) throw error
    throw createRefusal('unreadable-file')
  }
}

function parseText(content: string): string[][] {
  if (/[\0\uFFFD]/.test(content)) throw createRefusal('unreadable-file')
  const [first = ''] = content.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  try {
    return parse(content, { bom: true, delimiter, relax_column_count: true, to: 2 * MAX_CONTACTS })
  } catch {
    throw createRefusal('unreadable-file')
  }
}
