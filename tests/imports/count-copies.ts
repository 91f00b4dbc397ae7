import type { Condition } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import { walkSurvey } from '#app/features/surveys/questionnaire/walk-survey.ts'
import type { Definition, Page } from '#app/features/surveys/surveys.schema.ts'

/** So many copies are enough of what repeats without limit, if the report says so. */
export const ENOUGH_COPIES = 5

/**
 * How many of these questions are asked, by nothing but the questions whether there is one more.
 * @param isYes whether that one is answered with yes
 */
export function countAsked(
  definition: Definition,
  asked: ReadonlySet<string>,
  gates: ReadonlySet<string>,
  isYes: (gate: string) => boolean,
) {
  const pages = definition.pages.map((page): Page => ({
    ...omitOtherTests(page, gates),
    questions: page.questions.filter(({ id }) => gates.has(id) || asked.has(id)).map((question) => omitOtherTests(question, gates)),
  }))
  const answers = Object.fromEntries(Array.from(gates, (id) => [id, { choice: isYes(id) ? 'yes' : 'no' }]))
  const walk = walkSurvey({ ...definition, pages }, answers, 'seed')
  return walk.pages.flatMap(({ questions }) => questions).filter(({ id }) => asked.has(id)).length
}

/** A part that is shown by what these questions are answered with, and by nothing else. */
function omitOtherTests<T extends { showIf?: Condition | undefined }>({ showIf, ...part }: T, kept: ReadonlySet<string>): T {
  const condition = showIf && omitTests(showIf, kept)
  return { ...part, ...(condition && { showIf: condition }) } as T
}

function omitTests(condition: Condition, kept: ReadonlySet<string>): Condition | undefined {
  if (!('all' in condition) && !('any' in condition)) return kept.has(condition.question) ? condition : undefined
  const parts = ('all' in condition ? condition.all : condition.any).map((part) => omitTests(part, kept))
  const left = parts.filter((part) => part !== undefined)
  if ('any' in condition) return left.length === parts.length ? { any: left } : undefined
  return left.length > 0 ? { all: left } : undefined
}
