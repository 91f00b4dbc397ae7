import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import {
  type ExportedQuestion,
  CHOSEN_CONTENT,
  createCodeContent,
  type AnswerColumn,
  createColumn,
  type QuestionModule,
  type Say,
} from '../question-type.ts'
import type { SurveyWords } from '../../use-survey-words.ts'
import { tidyText } from '../text-tools.ts'
import { checkChosenOptions, listOfferedOptions, listOptionFaults, findOption, findOtherOption, readOtherText } from './options.ts'

type SingleChoiceQuestion = QuestionOf<'one_choice' | 'dropdown' | 'demographic'>
type SeveralChoicesQuestion = QuestionOf<'several_choices' | 'picture_choice'>

/** The chosen options, for single choices too; undefined if there are none. */
function findChosenIds(answer: Answer): string[] | undefined {
  if (typeof answer !== 'object') return undefined
  if ('choice' in answer) return [answer.choice]
  return 'choices' in answer ? answer.choices : undefined
}

const findOtherText = (answer: Answer): string | undefined => (typeof answer === 'object' && 'other' in answer ? answer.other : undefined)

function formatChoices(question: SingleChoiceQuestion | SeveralChoicesQuestion, answer: Answer, { say, format }: SurveyWords): string[] {
  return (findChosenIds(answer) ?? []).map((id) => {
    const option = findOption(question, id)
    if (!option) return id
    const other = option.other ? findOtherText(answer) : undefined
    const label = say(option.label).text
    return other ? `${label}${format.colon}${other}` : label
  })
}

/** The text beside "other". For several choices, whether the option was chosen has its own column as well. */
const createOtherColumn = (
  question: ExportedQuestion<SingleChoiceQuestion | SeveralChoicesQuestion>,
  say: Say,
  part: (id: string) => string,
): AnswerColumn[] => {
  const other = question.options.find((option) => option.other)
  if (!other) return []
  return [createColumn(question, part(other.id), `${say(question.title)}: ${say(other.label)}`, (answer) => findOtherText(answer) ?? null)]
}

const createLabelAndCodeColumns = (question: ExportedQuestion<SingleChoiceQuestion>, say: Say): AnswerColumn[] => {
  const label = (id: string) => say(findOption(question, id)?.label) || id
  return [
    createColumn(question, '', say(question.title), (answer) => findChosenIds(answer)?.map(label).join('; ') ?? null),
    createColumn(
      question,
      'code',
      say(question.title),
      (answer) => findChosenIds(answer)?.[0] ?? null,
      createCodeContent(question.options, say),
    ),
  ]
}

const withOther = (answer: object, other: string) => ({ ...answer, ...(other ? { other } : {}) }) as Answer

export const oneChoice: QuestionModule<SingleChoiceQuestion> = {
  read(question, sent) {
    const other = readOtherText(sent)
    const choice = sent()[0] || (other ? findOtherOption(question)?.id : undefined)
    return choice ? oneChoice.tidy(question, withOther({ choice }, other)) : undefined
  },
  fields: (_question, answer) => ({ '': findChosenIds(answer)?.[0] ?? '', other: findOtherText(answer) ?? '' }),
  tidy(question, answer) {
    if (typeof answer !== 'object' || !('choice' in answer)) return dropBlank(answer)
    const other = tidyText(answer.other ?? '', true)
    return withOther({ choice: answer.choice }, findOption(question, answer.choice)?.other ? other : '')
  },
  check: (question, answer) =>
    typeof answer === 'object' && 'choice' in answer ? checkChosenOptions(question, [answer.choice], answer.other) : { code: 'wrong-type' },
  faults: listOptionFaults,
  words: formatChoices,
  columns: (question, say) => [...createLabelAndCodeColumns(question, say), ...createOtherColumn(question, say, () => 'other')],
  missing: 'choose-one',
}

/** Blank text and an empty list of choices count as no answer. */
function dropBlank(answer: Answer): Answer | undefined {
  if (typeof answer === 'string') return answer.trim() || undefined
  return typeof answer === 'object' && 'choices' in answer && answer.choices.length === 0 ? undefined : answer
}

const createSeveralModule = (most: (question: SeveralChoicesQuestion) => number | undefined): QuestionModule<SeveralChoicesQuestion> => {
  const module: QuestionModule<SeveralChoicesQuestion> = {
    read(question, sent) {
      const other = readOtherText(sent)
      const implied = other ? findOtherOption(question)?.id : undefined
      const choices = [...sent().filter(Boolean), ...(implied && !(most(question) === 1 && sent()[0]) ? [implied] : [])]
      return module.tidy(question, withOther({ choices }, other))
    },
    fields: (_question, answer) => ({ '': findChosenIds(answer) ?? [], other: findOtherText(answer) ?? '' }),
    tidy(question, answer) {
      if (typeof answer !== 'object' || !('choices' in answer)) return dropBlank(answer)
      const choices = [...new Set(answer.choices)]
      if (choices.length === 0) return undefined
      const order = new Map(question.options.map((option, index) => [option.id, index]))
      choices.sort((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity) || (a < b ? -1 : 1))
      const takesText = choices.some((id) => findOption(question, id)?.other)
      return withOther({ choices }, takesText ? tidyText(answer.other ?? '', true) : '')
    },
    check: (question, answer) =>
      typeof answer === 'object' && 'choices' in answer
        ? (checkChosenOptions(question, answer.choices, answer.other) ?? checkChoiceCount(question, answer.choices, most(question)))
        : { code: 'wrong-type' },
    faults(question, at) {
      const faults = listOptionFaults(question, at)
      const options = listOfferedOptions(question).length
      const max = most(question) ?? Math.max(options, 1)
      const min = question.minChoices ?? 0
      const fits = Math.max(1, min) <= max && (min <= options || question.carry !== undefined)
      return fits ? faults : [...faults, { code: 'out-of-range', pointer: `${at}/maxChoices`, values: { min: Math.max(1, min) } }]
    },
    words: formatChoices,
    columns: (question, say) => [
      ...question.options.map((option) =>
        createColumn(
          question,
          option.id,
          `${say(question.title)}: ${say(option.label)}`,
          (answer) => {
            const chosen = findChosenIds(answer)
            return chosen ? Number(chosen.includes(option.id)) : null
          },
          CHOSEN_CONTENT,
        ),
      ),
      ...createOtherColumn(question, say, (id) => `${id}.text`),
    ],
    missing: 'choose-some',
  }
  return module
}

function checkChoiceCount(question: SeveralChoicesQuestion, chosen: readonly string[], max: number | undefined): Fault | undefined {
  const { minChoices: min } = question
  if (max !== undefined && chosen.length > max) return { code: 'too-many', values: { max } }
  const alone = chosen.length === 1 && findOption(question, chosen[0] ?? '')?.exclusive
  return min !== undefined && chosen.length < min && !alone ? { code: 'too-few', values: { min } } : undefined
}

export const severalChoices = createSeveralModule((question) => question.maxChoices)
/** One picture unless the question allows more. */
export const pictureChoice = createSeveralModule((question) => question.maxChoices ?? Math.max(1, question.minChoices ?? 1))

const createFixedChoiceModule = (
  ids: readonly string[],
  missing: 'choose-one' | 'agree',
): QuestionModule<QuestionOf<'yes_no' | 'consent'>> => ({
  read: (_question, sent) => (sent()[0] ? { choice: sent()[0] ?? '' } : undefined),
  fields: (_question, answer) => ({ '': findChosenIds(answer)?.[0] ?? '' }),
  tidy: (_question, answer) => (typeof answer === 'object' && 'choice' in answer ? { choice: answer.choice } : dropBlank(answer)),
  check: (_question, answer) => {
    if (typeof answer !== 'object' || !('choice' in answer)) return { code: 'wrong-type' }
    return ids.includes(answer.choice) ? undefined : { code: 'not-a-choice' }
  },
  words: (_question, answer, { t }) =>
    (findChosenIds(answer) ?? []).map((id) => (id === 'no' ? t('choice.no') : missing === 'agree' ? t('choice.agreed') : t('choice.yes'))),
  columns: (question, say) => [createColumn(question, '', say(question.title), (answer) => findChosenIds(answer)?.[0] ?? null)],
  missing,
})

export const yesNo = createFixedChoiceModule(['yes', 'no'], 'choose-one')
export const consent = createFixedChoiceModule(['yes'], 'agree')
