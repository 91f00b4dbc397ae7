import { getQuestionModule } from '#app/features/surveys/surveys.question-types.server.ts'
import type { Answer, Question } from '#app/features/surveys/surveys.schema.ts'
import type { Fault } from '#app/lib/app-error.ts'
import { getFormatter } from '#app/lib/format.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { FieldValue, FieldValues } from '#app/lib/vocabulary/contributions.ts'
import type { Ctx } from '#app/server/context.ts'
import type { FormValues } from '#app/server/forms.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildAnswerField, type FieldTexts } from '../record/mask-texts.ts'
import type { ExtraQuestion } from '../record/extra-question.schema.ts'
import { buildFieldName, type FieldAnswerView, type FieldView, isWrittenQuestion, MAX_LONG_ANSWER } from '../record/fields.schema.ts'

/** The extra questions of an activity, also those that are no longer asked. */
export const readExtraQuestions = ({ fields }: { fields: unknown }): readonly ExtraQuestion[] => fields as ExtraQuestion[]

/** Those that are asked. */
export const listAsked = (activity: { fields: unknown }): ExtraQuestion[] =>
  readExtraQuestions(activity).filter(({ archived }) => !archived)

/** The same question as surveys know it. */
export function toQuestion({ shownTo: _audience, archived: _archived, ...question }: ExtraQuestion): Question {
  return question.type === 'long_text' ? { ...question, maxLength: MAX_LONG_ANSWER } : question
}

/** A value in the shape that surveys give answers; what fits no question stays for the check. */
function toAnswer({ type }: ExtraQuestion, value: unknown): Answer {
  if ((type === 'one_choice' || type === 'yes_no') && typeof value === 'string' && value) return { choice: value }
  if (type === 'several_choices' && Array.isArray(value)) return { choices: value.map(String) }
  return value as Answer
}

function toValue(answer: Answer): FieldValue {
  if (typeof answer !== 'object') return answer
  if ('choice' in answer) return answer.choice
  return 'choices' in answer ? answer.choices : []
}

/** The answers in a form, by the question's id, even if they are incomplete or wrong. */
export function readSentFields(activity: { fields: unknown }, values: FormValues): Record<string, unknown> {
  return Object.fromEntries(
    listAsked(activity).flatMap((field) => {
      const question = toQuestion(field)
      const sent = (part = '') => [values[`${buildFieldName(field.id)}${part}`] ?? []].flat()
      const answer = getQuestionModule(question).read(question, sent)
      return answer === undefined ? [] : [[field.id, toValue(answer)]]
    }),
  )
}

/** Answers as the values of a form. */
export const buildFieldInputs = (activity: { fields: unknown }, values: FieldValues): Record<string, string | string[]> =>
  Object.fromEntries(
    listAsked(activity).flatMap((field) => {
      const question = toQuestion(field)
      const value = values[field.id]
      if (value === undefined) return []
      const inputs = getQuestionModule(question).fields(question, toAnswer(field, value))
      return Object.entries(inputs).map(([part, input]) => [`${buildFieldName(field.id)}${part}`, input])
    }),
  )

interface CheckedFields {
  values: FieldValues
  faults: Fault[]
}

/**
 * Checks answers to the questions that are asked.
 * @param kept answers that the contribution has: those to questions that are no longer asked stay
 */
export function checkFields(ctx: Ctx, activity: { fields: unknown }, given: unknown, kept: FieldValues = {}): CheckedFields {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    return { values: kept, faults: [{ code: 'wrong-type', pointer: '/fields' }] }
  const sent = given as Record<string, unknown>
  const asked = listAsked(activity)
  const known = new Set(asked.map(({ id }) => id))
  const faults: Fault[] = Object.keys(sent)
    .filter((id) => !known.has(id))
    .map((id) => ({ code: 'unknown-attribute', pointer: `/fields/${id}` }))
  const values: FieldValues = Object.fromEntries(Object.entries(kept).filter(([id]) => !known.has(id)))
  for (const field of asked) {
    const question = toQuestion(field)
    const behaviour = getQuestionModule(question)
    const value = Object.hasOwn(sent, field.id) ? sent[field.id] : undefined
    const answer = isBlank(value) ? undefined : behaviour.tidy(question, toAnswer(field, value))
    const fault = answer === undefined ? checkMissing(field) : behaviour.check(question, answer)
    if (fault) faults.push(nameFault(ctx, field, fault))
    else if (answer !== undefined) values[field.id] = toValue(answer)
  }
  return { values, faults }
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

const checkMissing = ({ required }: ExtraQuestion): Fault | undefined => (required ? { code: 'required' } : undefined)

/** At the question, whatever part of it is wrong, and with its title. */
const nameFault = (ctx: Ctx, { id, title }: ExtraQuestion, fault: Fault): Fault => ({
  ...fault,
  pointer: `/fields/${id}`,
  values: { ...fault.values, question: localiseText(title, ctx.contentLanguage, ctx.site.locale).text },
})

/** What people wrote themselves: read for listed words. */
export const listWrittenAnswers = (activity: { fields: unknown }, values: Record<string, unknown>): string[] =>
  readExtraQuestions(activity)
    .filter(isWrittenQuestion)
    .flatMap(({ id }) => (typeof values[id] === 'string' ? [values[id]] : []))

/** What people wrote themselves, as texts from which passages can be removed. */
export const listMaskableAnswers = (activity: { fields: unknown }, values: FieldValues): FieldTexts =>
  Object.fromEntries(
    readExtraQuestions(activity)
      .filter(isWrittenQuestion)
      .flatMap(({ id }) => (typeof values[id] === 'string' ? [[buildAnswerField(id), values[id]]] : [])),
  )

/** What people wrote for everybody to read: looked through for personal data. */
export const listPublicTexts = (activity: { fields: unknown }, values: Record<string, unknown>): string[] =>
  listWrittenAnswers({ fields: readExtraQuestions(activity).filter(({ shownTo }) => shownTo === 'public') }, values)

/** The answers that everybody can see; all of them for those who may moderate and for the author. */
export const pickFields = (activity: { fields: unknown }, values: FieldValues, sees: { staff: boolean }): FieldValues =>
  Object.fromEntries(
    readExtraQuestions(activity).flatMap(({ id, shownTo }) => {
      const value = Object.hasOwn(values, id) ? values[id] : undefined
      return value !== undefined && (sees.staff || shownTo === 'public') ? [[id, value]] : []
    }),
  )

/** The questions of a form. */
export const toFieldViews = (ctx: Ctx, activity: { fields: unknown }): FieldView[] =>
  listAsked(activity).map((field) => ({
    id: field.id,
    type: field.type,
    title: localiseText(field.title, ctx.contentLanguage, ctx.site.locale),
    help: localiseText(field.help, ctx.contentLanguage, ctx.site.locale),
    required: field.required ?? false,
    shownTo: field.shownTo,
    options:
      'options' in field
        ? field.options.flatMap(({ id, label, removed }) => {
            const { text, ...lang } = localiseText(label, ctx.contentLanguage, ctx.site.locale)
            return removed ? [] : [{ value: id, label: text, ...lang }]
          })
        : [],
  }))

/** Answers in words, in the order of the questions. */
export function describeFields(ctx: Ctx, activity: { fields: unknown }, values: FieldValues, sees: { staff: boolean }): FieldAnswerView[] {
  const shown = pickFields(activity, values, sees)
  const { language, contentLanguage, site } = ctx
  const speak = {
    t: getTranslator(language, 'survey'),
    language,
    format: getFormatter({ language, region: site.region, timeZone: site.timeZone }),
    say: (text: ExtraQuestion['title'] | undefined) => localiseText(text, contentLanguage, site.locale),
  }
  return readExtraQuestions(activity).flatMap((field) => {
    const value = shown[field.id]
    if (value === undefined) return []
    const question = toQuestion(field)
    return [
      {
        id: field.id,
        title: speak.say(field.title),
        shownTo: field.shownTo,
        isWritten: isWrittenQuestion(field),
        lines: getQuestionModule(question).words(question, toAnswer(field, value), speak),
      },
    ]
  })
}

/** Answers for a file, by id: dates and numbers as they are stored, everything else in words. */
export const listExportedAnswers = (
  ctx: Ctx,
  activity: { fields: unknown },
  values: FieldValues,
  sees: { staff: boolean },
): Record<string, string | number> => {
  const types = new Map(readExtraQuestions(activity).map(({ id, type }) => [id, type]))
  return Object.fromEntries(
    describeFields(ctx, activity, values, sees).map(({ id, lines }) => {
      const value = values[id]
      return [id, typeof value === 'number' || (typeof value === 'string' && types.get(id) === 'date') ? value : lines.join('; ')]
    }),
  )
}
