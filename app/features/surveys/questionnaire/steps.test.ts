import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countPossibleQuestions } from './answers.ts'
import { buildSteps, getStepLabelKey, locateStep, type StepKind } from './steps.ts'
import { walkSurvey } from './walk-survey.ts'
import type { Answers, Definition, Page, Question } from '../surveys.schema.ts'

const OPTIONS = ['x', 'y'] as const
const ask = (id: string, more: object = {}): Question => ({
  id,
  type: 'one_choice',
  title: { en: id },
  options: OPTIONS.map((option) => ({ id: option, label: { en: option } })),
  ...more,
})
const when = (question: string, option: string) => ({ question, is: 'any_of' as const, options: [option] })
const survey = (...pages: Page[]): Definition => ({ schema: 1, pages })

/** What each step says on the way through the survey, answered one step at a time. */
function follow(definition: Definition, choices: Record<string, string>, by: StepKind): string[] {
  const answers: Answers = {}
  const said: string[] = []
  for (let index = 0; ; index += 1) {
    const steps = buildSteps(walkSurvey(definition, answers, 'seed'), by)
    const step = steps[index]
    if (!step) return said
    const place = locateStep(definition, steps, step.id, by)
    const bound = getStepLabelKey(by, definition, place).endsWith('-up-to') ? 'up to ' : ''
    said.push(`${place.number} of ${bound}${place.total}`)
    for (const { id } of step.questions) if (choices[id]) answers[id] = { choice: choices[id] }
  }
}

const branching = survey(
  { id: 'p1', questions: [ask('a'), ask('b', { showIf: when('a', 'x') }), ask('c', { showIf: when('a', 'y') })] },
  { id: 'p2', showIf: when('a', 'x'), questions: [ask('d'), ask('gone', { removed: true })] },
  { id: 'p3', questions: [ask('e')] },
)

describe('which of how many', () => {
  test('the total counts from the start what answers can still add, and only shrinks', () => {
    expect(follow(branching, { a: 'x' }, 'questions')).toEqual(['1 of up to 5', '2 of up to 5', '3 of up to 4', '4 of 4'])
    expect(follow(branching, { a: 'y' }, 'questions')).toEqual(['1 of up to 5', '2 of up to 4', '3 of 3'])
    expect(follow(branching, { a: 'y' }, 'sections')).toEqual(['1 of up to 3', '2 of 2'])
    expect(countPossibleQuestions(branching.pages)).toBe(5)
  })

  test('a survey that asks everybody the same says one exact total', () => {
    const plain = survey({ id: 'p1', shuffle: true, questions: [ask('a'), ask('b'), ask('c')] }, { id: 'p2', questions: [ask('d')] })
    expect(follow(plain, {}, 'questions')).toEqual(['1 of 4', '2 of 4', '3 of 4', '4 of 4'])
    expect(follow(plain, {}, 'sections')).toEqual(['1 of 2', '2 of 2'])
  })

  test('whatever the rules, the order and the answers, the total never grows and the last step is the last of it', () => {
    const rule = (before: string[]) => fc.option(fc.tuple(fc.constantFrom('q0', ...before), fc.constantFrom(...OPTIONS)))
    const pages = fc.tuple(
      ...[0, 1, 2].map((at) => {
        const earlier = Array.from({ length: at * 3 }, (_, each) => `q${each}`)
        return fc.record({
          shuffle: fc.boolean(),
          rules: fc.tuple(...[0, 1, 2].map((own) => rule([...earlier, ...[0, 1].slice(0, own).map((each) => `q${at * 3 + each}`)]))),
          pageRule: rule(earlier),
        })
      }),
    )
    const choices = fc.array(fc.constantFrom('', ...OPTIONS), { minLength: 9, maxLength: 9 })
    fc.assert(
      fc.property(pages, choices, fc.constantFrom<StepKind>('questions', 'sections'), (drawn, chosen, by) => {
        const definition = survey(
          ...drawn.map(({ shuffle, rules, pageRule }, at) => ({
            id: `p${at}`,
            shuffle,
            ...(pageRule && at > 0 ? { showIf: when(...pageRule) } : {}),
            questions: rules.map((each, own) => ask(`q${at * 3 + own}`, each && at + own > 0 ? { showIf: when(...each) } : {})),
          })),
        )
        const said = follow(definition, Object.fromEntries(chosen.map((choice, at) => [`q${at}`, choice])), by)
        const totals = said.map((each) => Number(/\d+$/.exec(each)?.[0]))
        expect(totals).toEqual(totals.toSorted((a, b) => b - a))
        expect(said.at(-1)?.startsWith(`${said.length} of `)).toBe(true)
      }),
      { numRuns: 300, seed: 40 },
    )
  })
})
