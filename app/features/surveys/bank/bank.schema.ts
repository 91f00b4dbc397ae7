import { ITEM_LISTS } from '../questionnaire/walk-survey.ts'
import type { Option, Question, Row } from '../surveys.schema.ts'

/** A question without rules and carried choices, which refer to other questions of its survey. */
export function detachFromSurvey(question: Question): Question {
  const { showIf: _showIf, removed: _removed, ...kept } = question
  if ('carry' in kept) delete kept.carry
  for (const list of ITEM_LISTS) {
    if (!(list in kept)) continue
    const items = (kept as unknown as Record<typeof list, (Option | Row)[]>)[list]
    const open = items.filter((item) => !item.removed).map(({ showIf: _rule, ...item }) => item)
    Object.assign(kept, { [list]: open })
  }
  return kept
}

/**
 * A question from the bank for use in a survey, with a new id. Options keep their ids, and a demographic question its bank id, so that
 * surveys can be compared.
 */
export const copyBankQuestion = (question: Question, id: string): Question => ({ ...structuredClone(question), id })
