import type { Option, Question, Row } from '../surveys.schema.ts'

/** A question on its own: without rules and carried choices, which name questions of the survey it stood in. */
export function detachFromSurvey(question: Question): Question {
  const { showIf: _showIf, removed: _removed, ...kept } = question
  if ('carry' in kept) delete kept.carry
  for (const list of ['options', 'rows', 'columns'] as const) {
    if (!(list in kept)) continue
    const items = (kept as unknown as Record<typeof list, (Option | Row)[]>)[list]
    const open = items.filter((item) => !item.removed).map(({ showIf: _rule, ...item }) => item)
    Object.assign(kept, { [list]: open })
  }
  return kept
}

/**
 * A question of the bank as it is asked in a survey: under an id of its own. What can be chosen keeps its ids, and a demographic
 * question its place in the bank, so that surveys can be compared.
 */
export const copyBankQuestion = (question: Question, id: string): Question => ({ ...structuredClone(question), id })
