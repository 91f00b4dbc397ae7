import { parse } from 'csv-parse'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { LANGUAGES } from '#app/lib/languages.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import type { EligibilityField } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { type EntryHash, hashEntry, type TypedFields } from './eligibility-fields.server.ts'
import { MAX_ENTRIES } from './verifications.schema.ts'

const MAX_NAMED_LINES = 5

/**
 * Reads the organisation's file into one hash per person. Refuses the whole file if any line is unusable.
 * @throws {AppError} `invalid` at `/csv` with `unreadable-file`, `column-missing` naming the field, `unreadable-lines` naming some of the
 * lines, `too-many`, or `required` if it has no lines
 */
export async function readEntries(
  ctx: Ctx,
  list: { id: string; fields: readonly EligibilityField[] },
  csv: string,
): Promise<readonly EntryHash[]> {
  if (/[\0\uFFFD]/.test(csv)) refuseFile('unreadable-file')
  const places = new Map<EligibilityField, number>()
  const found = new Map<string, EntryHash>()
  const unreadable: number[] = []
  let line = 0
  for await (const cells of parseLines(csv)) {
    line++
    if (line === 1) {
      for (const field of list.fields) places.set(field, requireColumn(ctx, cells, field))
      continue
    }
    const typed: TypedFields = Object.fromEntries(list.fields.map((field) => [field, (cells[places.get(field) ?? 0] ?? '').trim()]))
    if (cells.every((cell) => !cell.trim())) continue
    const entry = hashEntry(ctx, list, typed)
    if (entry) found.set(entry.hash.toString('base64'), entry)
    else unreadable.push(line)
    if (found.size > MAX_ENTRIES) refuseFile('too-many', { max: MAX_ENTRIES })
  }
  if (unreadable.length > 0) refuseFile('unreadable-lines', { lines: unreadable.slice(0, MAX_NAMED_LINES).join(', ') })
  if (found.size === 0) refuseFile('required')
  return [...found.values()]
}

async function* parseLines(csv: string): AsyncGenerator<string[]> {
  const [first = ''] = csv.split('\n', 1)
  const delimiter = [',', ';', '\t'].toSorted((a, b) => first.split(b).length - first.split(a).length)[0] ?? ','
  const parser = parse(csv, { bom: true, delimiter, relax_column_count: true, to: 2 * MAX_ENTRIES })
  try {
    for await (const cells of parser) yield cells as string[]
  } catch (error) {
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('CSV_')) refuseFile('unreadable-file')
    throw error
  }
}

/** By the field's name, or its words in any language of the product. */
function requireColumn(ctx: Ctx, headings: readonly string[], field: EligibilityField): number {
  const words = new Set(
    [field, ...LANGUAGES.map((language) => getTranslator(language, 'verifications')(`fields.${field}`))].map(foldHeading),
  )
  const at = headings.findIndex((heading) => words.has(foldHeading(heading)))
  if (at < 0) refuseFile('column-missing', { column: getTranslator(ctx.language, 'verifications')(`fields.${field}`) })
  return at
}

const foldHeading = (heading: string): string => normaliseText(heading).replace(/[^\p{L}\p{N}]/gu, '')

function refuseFile(code: Fault['code'], values?: Record<string, string | number>): never {
  throw new AppError('invalid', { faults: [{ code, pointer: '/csv', ...(values && { values }) }] })
}
