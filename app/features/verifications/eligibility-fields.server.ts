import { createHmac } from 'node:crypto'
import { normalisePostcode } from '#app/features/areas/postcodes.schema.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import type { EligibilityField } from '#app/lib/vocabulary/verifications.ts'
import type { Ctx } from '#app/server/context.ts'
import { MAX_FIELD_LENGTH } from './verifications.schema.ts'

/** A person's fields as they were typed, or as they stand in the organisation's file. */
export type TypedFields = Readonly<Partial<Record<EligibilityField, string>>>

/** `27/3/1980`, `27 3 1980` or `1980-03-27`. Undefined if it is no day of the calendar. */
function normaliseDate(typed: string): string | undefined {
  const parts = /^(?:(\d{1,2})[\s./-]+(\d{1,2})[\s./-]+(\d{4})|(\d{4})[\s./-]+(\d{1,2})[\s./-]+(\d{1,2}))$/.exec(typed.trim())
  if (!parts) return undefined
  const [, day = parts[6] ?? '', month = parts[5] ?? '', year = parts[4] ?? ''] = parts
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const date = new Date(`${text}T00:00:00Z`)
  return Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text ? undefined : text
}

/** What is compared: how something is written makes no difference. Undefined if there is nothing to compare. */
export function normaliseField(field: EligibilityField, typed: string): string | undefined {
  if (typed.length > MAX_FIELD_LENGTH) return undefined
  switch (field) {
    case 'birth-date':
      return normaliseDate(typed)
    case 'surname':
      return normaliseText(typed).replace(/[^\p{L}\p{N}]/gu, '') || undefined
    case 'card-number':
    case 'postcode':
      return normalisePostcode(typed) || undefined
  }
}

const BUCKET_BYTES = 2

export interface EntryHash {
  hash: Buffer
  bucket: number
}

/** What is stored of a person of a list. Undefined if a field has nothing to compare. */
export function hashEntry(
  { runtime, site }: { runtime: Pick<Ctx['runtime'], 'secret'>; site: Pick<Ctx['site'], 'id'> },
  list: { id: string; fields: readonly EligibilityField[] },
  typed: TypedFields,
): EntryHash | undefined {
  const parts = list.fields.toSorted().map((field) => normaliseField(field, typed[field] ?? ''))
  if (parts.some((part) => part === undefined)) return undefined
  const hash = createHmac('sha256', runtime.secret)
    .update(`eligible/${site.id}/${list.id}/${JSON.stringify(parts)}`)
    .digest()
  return { hash, bucket: hash.readUIntBE(0, BUCKET_BYTES) }
}
