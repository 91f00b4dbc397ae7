import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { FieldValues } from '#app/lib/vocabulary/contributions.ts'
import type { MaskedAnswer, MaskedField } from '#app/lib/vocabulary/moderation.ts'

/** A part of one field, in UTF-16 code units: `start` belongs to it, `end` does not. */
export interface Passage {
  /** A `MaskedField`; another one is a fault. */
  field: string
  start: number
  end: number
}

export type FieldTexts = Partial<Record<MaskedField, string>>

const ANSWER_PREFIX = 'fields.'
export const buildAnswerField = (questionId: string): MaskedAnswer => `${ANSWER_PREFIX}${questionId}`

/** Texts that are answers to extra questions, by the question’s id. */
export const listAnswerTexts = (texts: FieldTexts): [questionId: string, text: string][] =>
  Object.entries(texts).flatMap(([field, text]) =>
    text !== undefined && field.startsWith(ANSWER_PREFIX) ? [[field.slice(ANSWER_PREFIX.length), text]] : [],
  )

interface MaskableRow {
  title: string
  body: string
  placeText: string
  shownName: string
  fields: FieldValues
}

/** A contribution with these texts in place of its own. */
export function replaceTexts<R extends MaskableRow>(row: R, texts: FieldTexts): R {
  const { title = row.title, body = row.body, placeText = row.placeText, shownName = row.shownName } = texts
  return { ...row, title, body, placeText, shownName, fields: { ...row.fields, ...Object.fromEntries(listAnswerTexts(texts)) } }
}

/**
 * Puts `marker` in place of each passage. Passages that overlap or touch become one.
 * @returns the texts without the passages, and what these said, in the order of the fields
 * @throws {AppError} `invalid` without a passage, or if one is empty, ends outside its field or cuts a character in half
 */
export function maskTexts(texts: FieldTexts, passages: readonly Passage[], marker: string): { texts: FieldTexts; removed: string[] } {
  const faults: Fault[] = passages.flatMap((passage, at) =>
    isPassageOf(texts, passage) ? [] : [{ code: 'not-a-choice' as const, pointer: `/passages/${at}` }],
  )
  if (passages.length === 0) faults.push({ code: 'required', pointer: '/passages' })
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const masked = { ...texts }
  const removed: string[] = []
  for (const field of Object.keys(texts) as MaskedField[]) {
    const text = texts[field] ?? ''
    const joined = joinPassages(passages.filter((passage) => passage.field === field))
    removed.push(...joined.map(({ start, end }) => text.slice(start, end)))
    masked[field] = joined.toReversed().reduce((left, { start, end }) => left.slice(0, start) + marker + left.slice(end), text)
  }
  return { texts: masked, removed }
}

function isPassageOf(texts: FieldTexts, { field, start, end }: Passage): boolean {
  const text = Object.hasOwn(texts, field) ? texts[field as MaskedField] : undefined
  if (text === undefined || start >= end || end > text.length) return false
  return !isInsideCharacter(text, start) && !isInsideCharacter(text, end) && text.slice(start, end).trim() !== ''
}

/** Between the two halves of a surrogate pair. */
const isInsideCharacter = (text: string, at: number): boolean => at > 0 && at < text.length && (text.codePointAt(at - 1) ?? 0) > 0xff_ff

function joinPassages(passages: readonly Passage[]): Passage[] {
  const joined: Passage[] = []
  for (const passage of passages.toSorted((one, other) => one.start - other.start)) {
    const last = joined.at(-1)
    if (last && passage.start <= last.end) last.end = Math.max(last.end, passage.end)
    else joined.push({ ...passage })
  }
  return joined
}
