import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Condition } from '#app/features/surveys/questionnaire/conditions.schema.ts'
import { getStepId, REVIEW_STEP, toReviewedStep } from '#app/features/surveys/questionnaire/step-ids.ts'
import { buildSteps, getFollowingStep, getNextStep, getPreviousStep } from '#app/features/surveys/questionnaire/steps.ts'
import { walkSurvey } from '#app/features/surveys/questionnaire/walk-survey.ts'
import type { Answers, Definition } from '#app/features/surveys/surveys.schema.ts'
import { compareWithModel, createCommand, MODEL_TIMEOUT_MS } from './model.ts'

const OPTIONS = ['x', 'y', 'z'] as const
type Choice = (typeof OPTIONS)[number]

/** A survey in short: sections of questions with three options each. */
interface Outline {
  showIf?: Rule | undefined
  questions: { id: string; showIf?: Rule | undefined }[]
  /** Where the section leads if the rule holds: to a later section, or to the end. */
  jump?: { when: Rule; to: number | 'end' } | undefined
}
type Rule = { of: string; is: 'any_of' | 'none_of' | 'answered' | 'unanswered'; options?: Choice[] } | { all: Rule[] } | { any: Rule[] }

/** What a person is asked: a rule sees only what was asked before, and answered. Answers to what is hidden do not count, but are not forgotten. */
function listAsked(
  outline: readonly Outline[],
  given: Readonly<Record<string, Choice>>,
): { sections: [number, string[]][]; counted: Record<string, Choice> } {
  const counted: Record<string, Choice> = {}
  const holds = (rule: Rule | undefined): boolean => {
    if (!rule) return true
    if ('all' in rule) return rule.all.every(holds)
    if ('any' in rule) return rule.any.some(holds)
    const answer = counted[rule.of]
    if (rule.is === 'answered') return answer !== undefined
    if (rule.is === 'unanswered') return answer === undefined
    const isOneOf = answer !== undefined && (rule.options ?? []).includes(answer)
    return rule.is === 'any_of' ? isOneOf : !isOneOf
  }
  const sections: [number, string[]][] = []
  let to: number | 'end' = 0
  for (const [at, section] of outline.entries()) {
    if (to === 'end' || at < to || !holds(section.showIf)) continue
    const asked: string[] = []
    for (const { id, showIf } of section.questions) {
      if (!holds(showIf)) continue
      asked.push(id)
      if (given[id]) counted[id] = given[id]
    }
    if (asked.length > 0) sections.push([at, asked])
    if (section.jump && holds(section.jump.when)) to = section.jump.to
  }
  return { sections, counted }
}

const toCondition = (rule: Rule): Condition => {
  if ('all' in rule) return { all: rule.all.map(toCondition) }
  if ('any' in rule) return { any: rule.any.map(toCondition) }
  const { of: question, ...test } = rule
  return { question, ...test }
}
const toShowIf = (rule: Rule | undefined) => (rule ? { showIf: toCondition(rule) } : {})

const toDefinition = (outline: readonly Outline[]): Definition => ({
  schema: 1,
  endings: [{ id: 'early', title: { en: 'Thank you' } }],
  pages: outline.map(({ showIf, questions, jump }, at) => ({
    id: `s${at}`,
    ...toShowIf(showIf),
    questions: questions.map((question) => ({
      id: question.id,
      type: 'one_choice' as const,
      title: { en: question.id },
      options: OPTIONS.map((id) => ({ id, label: { en: id } })),
      ...toShowIf(question.showIf),
    })),
    ...(jump ? { next: [{ when: toCondition(jump.when), ...(jump.to === 'end' ? { end: 'early' } : { page: `s${jump.to}` }) }] } : {}),
  })),
})

const ids = [0, 1, 2, 3, 4].map((at) => [`q${at}a`, `q${at}b`])
/** A rule over questions before the section, as the editor allows. */
function createRules(before: readonly string[]): fc.Arbitrary<Rule | undefined> {
  if (before.length === 0) return fc.constant(undefined)
  const of = fc.constantFrom(...before)
  const test: fc.Arbitrary<Rule> = fc.oneof(
    fc.record({ of, is: fc.constantFrom('any_of' as const, 'none_of' as const), options: fc.subarray([...OPTIONS], { minLength: 1 }) }),
    fc.record({ of, is: fc.constantFrom('answered' as const, 'unanswered' as const) }),
  )
  const several = fc.array(test, { minLength: 1, maxLength: 3 })
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant(undefined) },
    { weight: 3, arbitrary: test },
    { weight: 1, arbitrary: several.map((all) => ({ all })) },
    { weight: 1, arbitrary: several.map((any) => ({ any })) },
  )
}
const outlines: fc.Arbitrary<Outline[]> = fc.tuple(
  ...ids.map((own, at): fc.Arbitrary<Outline> => {
    const before = ids.slice(0, at).flat()
    const leadsTo = fc.constantFrom<(number | 'end')[]>(...ids.flatMap((_, later) => (later > at ? [later] : [])), 'end')
    return fc.record({
      showIf: createRules(before),
      questions: fc
        .tuple(createRules(before), createRules([...before, own[0] ?? '']))
        .map((rules) => own.map((id, index) => ({ id, showIf: rules[index] }))),
      jump: fc.tuple(createRules([...before, ...own]), leadsTo).map(([when, to]) => (when ? { when, to } : undefined)),
    })
  }),
)

/** Somebody who answers, goes on and back, and changes answers, one question at a time or by section. */
interface Model {
  outline: Outline[]
  given: Record<string, Choice>
}
interface Real {
  definition: Definition
  answers: Answers
  step: string
}

const walk = ({ definition, answers }: Real) => walkSurvey(definition, answers, 'seed')

async function expectAgreement({ outline, given }: Model, real: Real): Promise<void> {
  const { sections, counted } = listAsked(outline, given)
  const { pages, kept } = walk(real)
  expect(pages.map(({ page, questions }) => [page.id, questions.map(({ id }) => id)])).toEqual(
    sections.map(([at, asked]) => [`s${at}`, asked]),
  )
  expect(kept).toEqual(Object.fromEntries(Object.entries(counted).map(([id, choice]) => [id, { choice }])))
  // Going on from the start meets each question once, and going back the same in reverse.
  const steps = buildSteps(walk(real), 'questions')
  const forward: string[] = []
  for (let id = steps[0]?.id ?? REVIEW_STEP; id !== REVIEW_STEP; id = getNextStep(steps, id)) forward.push(id)
  const backward: string[] = []
  for (let id = getPreviousStep(steps, REVIEW_STEP); id !== ''; id = getPreviousStep(steps, id)) backward.push(id)
  expect(forward).toEqual(sections.flatMap(([, asked]) => asked))
  expect(backward).toEqual(forward.toReversed())
}

const answer = (question: string, choice: Choice) =>
  createCommand<Model, Real>(`${question} = ${choice}`, async (model, real) => {
    model.given[question] = choice
    real.answers = { ...real.answers, [question]: { choice } }
    await expectAgreement(model, real)
  })

const leaveOpen = (question: string) =>
  createCommand<Model, Real>(`${question} = nothing`, async (model, real) => {
    delete model.given[question]
    const { [question]: _gone, ...others } = real.answers
    real.answers = others
    await expectAgreement(model, real)
  })

/** What the review opens leads back to it, unless the change asks something new: then to the first of that. */
const changeFromReview = (question: string, choice: Choice) =>
  createCommand<Model, Real>(`from the review: ${question} = ${choice}`, async (model, real) => {
    const before = listAsked(model.outline, model.given).sections.flatMap(([, asked]) => asked)
    const stepsBefore = buildSteps(walk(real), 'questions')
    if (!before.includes(question)) return
    model.given[question] = choice
    real.answers = { ...real.answers, [question]: { choice } }
    const after = listAsked(model.outline, model.given).sections.flatMap(([, asked]) => asked)
    const walked = walk(real)
    const following = getFollowingStep(toReviewedStep(question), stepsBefore, buildSteps(walked, 'questions'), walked.kept)
    expect(getStepId(following) ?? following).toBe(after.find((id) => id !== question && !before.includes(id)) ?? REVIEW_STEP)
    await expectAgreement(model, real)
  })

test.each([1, 2, 3, 4, 5, 6])(
  'surveys ask what the model asks, however somebody answers (%i)',
  async (seed) => {
    const drawn = fc.sample(outlines, { numRuns: process.env['MODEL_RUNS'] ? 40 : 15, seed })
    const question = fc.constantFrom(...ids.flat())
    for (const outline of drawn)
      await expect(
        compareWithModel<Model, Real>(
          async () => ({ model: { outline, given: {} }, real: { definition: toDefinition(outline), answers: {}, step: '' } }),
          [
            fc.tuple(question, fc.constantFrom(...OPTIONS)).map((given) => answer(...given)),
            question.map(leaveOpen),
            fc.tuple(question, fc.constantFrom(...OPTIONS)).map((given) => changeFromReview(...given)),
          ],
          { runs: 6, steps: 40 },
        ),
      ).resolves.toBeUndefined()
  },
  MODEL_TIMEOUT_MS,
)
