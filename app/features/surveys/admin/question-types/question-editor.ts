import type { ComponentType } from 'react'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Question, QuestionOf, QuestionType } from '../../surveys.schema.ts'

export interface QuestionFormProps<Q extends Question> {
  question: Q
  /** @param key the field, so that continuous typing is one undo step */
  change: (next: Partial<Q>, key?: string) => void
  /** The selected language. */
  language: ContentLanguage
  /** Error message of a field, by its path inside the question: `options.0.label.en`. */
  messageOf: (field: string) => string | undefined
  /** It may already have answers, so their meaning must not change. */
  published: boolean
}

/** How the editor creates and shows one type of question. */
export interface QuestionEditor<T extends QuestionType> {
  /** A new question's properties, besides its id, type and title. */
  blank: () => Omit<QuestionOf<T>, 'id' | 'type' | 'title'>
  /** Fields beyond title, help and "required"; null if the type has none. */
  Form: ComponentType<QuestionFormProps<QuestionOf<T>>> | null
  /** Asks nothing, so it cannot be required. */
  silent?: boolean
}
