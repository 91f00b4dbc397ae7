import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { FieldAudience, FieldType } from '#app/lib/vocabulary/contributions.ts'

export const MAX_FIELDS = 10
export const MAX_FIELD_OPTIONS = 20
export const MAX_LONG_ANSWER = 2000

/** Answered in words of one's own: passages of such an answer can be removed. */
export const isWrittenQuestion = ({ type }: { type: FieldType }): boolean => type === 'short_text' || type === 'long_text'

/** The name of a form's field: faults at `/fields/{id}` find it. */
export const buildFieldName = (id: string): string => `fields.${id}`

export const DATE_PARTS = ['day', 'month', 'year'] as const

/** An extra question as its form shows it. */
export interface FieldView {
  id: string
  type: FieldType
  title: LocalisedText
  help: LocalisedText
  required: boolean
  shownTo: FieldAudience
  options: { value: string; label: string; lang?: string }[]
}

/** An answer to an extra question, in words. */
export interface FieldAnswerView {
  id: string
  title: LocalisedText
  shownTo: FieldAudience
  /** What people wrote themselves, in their language. */
  isWritten: boolean
  /** One for each option chosen. */
  lines: string[]
}
