import type { Option, Page, Question, QuestionOf, QuestionType } from '#app/features/surveys/surveys.schema.ts'
import type { Translated } from '#app/lib/translated.ts'

/** Shorthand for writing surveys. */

type ExtraFields<T extends QuestionType> = Partial<Omit<QuestionOf<T>, 'id' | 'type' | 'title' | 'options' | 'scale'>>

export const page = (id: string, title: Translated, ...questions: Question[]): Page => ({ id, title, questions })

export const shortText = (id: string, title: Translated, extra: ExtraFields<'short_text'> = {}): Question => ({
  id,
  type: 'short_text',
  title,
  maxLength: 160,
  ...extra,
})

export const longText = (id: string, title: Translated, extra: ExtraFields<'long_text'> = {}): Question => ({
  id,
  type: 'long_text',
  title,
  maxLength: 2000,
  ...extra,
})

export const oneChoice = (id: string, title: Translated, options: Option[], extra: ExtraFields<'one_choice'> = {}): Question => ({
  id,
  type: 'one_choice',
  title,
  options,
  ...extra,
})

export const severalChoices = (id: string, title: Translated, options: Option[], extra: ExtraFields<'several_choices'> = {}): Question => ({
  id,
  type: 'several_choices',
  title,
  options,
  ...extra,
})

export const rating = (id: string, title: Translated, low: Translated, high: Translated, extra: ExtraFields<'rating'> = {}): Question => ({
  id,
  type: 'rating',
  title,
  scale: { max: 5, low, high },
  ...extra,
})

export const yesNo = (id: string, title: Translated, extra: ExtraFields<'yes_no'> = {}): Question => ({
  id,
  type: 'yes_no',
  title,
  ...extra,
})

export const option = (id: string, label: Translated, help?: Translated): Option => ({ id: `o_${id}`, label, ...(help ? { help } : {}) })

export const otherOption = (label: Translated): Option => ({ id: 'o_other', label, other: true })

export const noneOption = (label: Translated): Option => ({ id: 'o_none', label, exclusive: true })
