import { ITEM_LISTS } from './walk-survey.ts'
import type { Question, Row } from '../surveys.schema.ts'

/** The items of one of a question's lists; empty if it has no such list. */
export const listItems = (question: Question | undefined, list: (typeof ITEM_LISTS)[number]): readonly Row[] =>
  question && list in question ? ((question as unknown as Record<string, Row[]>)[list] ?? []) : []

export const listEveryItem = (question: Question): Row[] => ITEM_LISTS.flatMap((list) => [...listItems(question, list)])
