import type { ComponentType } from 'react'
import type { Language } from '#app/lib/languages.ts'
import type { Question, QuestionOf, QuestionType } from '../../surveys.schema.ts'

export interface QuestionFormProps<Q extends Question> {
  question: Q
  /** @param key what is typed into, so that typing on is one step of undoing */
  change: (next: Partial<Q>, key?: string) => void
  /** The language in hand. */
  language: Language
  /** What is wrong with a field, by its path inside the question: `options.0.label.en`. */
  messageOf: (field: string) => string | undefined
  /** People may be answering it: what their answers mean must not change. */
  published: boolean
}

/** How the editor makes and shows one type of question. */
export interface QuestionEditor<T extends QuestionType> {
  /** What it begins with, besides its id, type and title. */
  blank: () => Omit<QuestionOf<T>, 'id' | 'type' | 'title'>
  /** What the type has beyond title, help and "required"; null where it has nothing more. */
  Form: ComponentType<QuestionFormProps<QuestionOf<T>>> | null
  /** Nothing is asked, so that nothing can be required. */
  silent?: boolean
}
