import type { Fault } from '#app/lib/app-error.ts'
import type { Answer, Option, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { type Asked, CHOSEN, codes, type Column, column, type QuestionModule, type Say } from '../question-type.ts'
import { tidyText } from '../text-tools.ts'
import { checkChosen, offered, optionFaults, optionOf, otherOf, sentOther } from './options.ts'

type OneOf = QuestionOf<'one_choice' | 'dropdown' | 'demographic'>
type SeveralOf = QuestionOf<'several_choices' | 'picture_choice'>

/** Options chosen, also where the question let choose one; undefined where there are none. */
function chosenIn(answer: Answer): string[] | undefined {
  if (typeof answer !== 'object') return undefined
  if ('choice' in answer) return [answer.choice]
  return 'choices' in answer ? answer.choices : undefined
}

const otherIn = (answer: Answer): string | undefined => (typeof answer === 'object' && 'other' in answer ? answer.other : undefined)

function wordsOf(question: OneOf | SeveralOf, answer: Answer, say: (option: Option) => string): string[] {
  return (chosenIn(answer) ?? []).map((id) => {
    const option = optionOf(question, id)
    if (!option) return id
    const other = option.other ? otherIn(answer) : undefined
    return other ? `${say(option)}: ${other}` : say(option)
  })
}

/** The words beside "other". Of several choices the option has a column of its own besides. */
const otherColumn = (question: Asked<OneOf | SeveralOf>, say: Say, part: (id: string) => string): Column[] => {
  const other = question.options.find((option) => option.other)
  if (!other) return []
  return [column(question, part(other.id), `${say(question.title)}: ${say(other.label)}`, (answer) => otherIn(answer) ?? null)]
}

const labelAndCode = (question: Asked<OneOf>, say: Say): Column[] => {
  const label = (id: string) => say(optionOf(question, id)?.label) || id
  return [
    column(question, '', say(question.title), (answer) => chosenIn(answer)?.map(label).join('; ') ?? null),
    column(question, 'code', say(question.title), (answer) => chosenIn(answer)?.[0] ?? null, codes(question.options, say)),
  ]
}

const withOther = (answer: object, other: string) => ({ ...answer, ...(other ? { other } : {}) }) as Answer

export const oneChoice: QuestionModule<OneOf> = {
  read(question, sent) {
    const other = sentOther(sent)
    const choice = sent()[0] || (other ? otherOf(question)?.id : undefined)
    return choice ? oneChoice.tidy(question, withOther({ choice }, other)) : undefined
  },
  fields: (_question, answer) => ({ '': chosenIn(answer)?.[0] ?? '', other: otherIn(answer) ?? '' }),
  tidy(question, answer) {
    if (typeof answer !== 'object' || !('choice' in answer)) return blank(answer)
    const other = tidyText(answer.other ?? '', true)
    return withOther({ choice: answer.choice }, optionOf(question, answer.choice)?.other ? other : '')
  },
  check: (question, answer) =>
    typeof answer === 'object' && 'choice' in answer ? checkChosen(question, [answer.choice], answer.other) : { code: 'wrong-type' },
  faults: optionFaults,
  words: (question, answer, { say }) => wordsOf(question, answer, (option) => say(option.label).text),
  columns: (question, say) => [...labelAndCode(question, say), ...otherColumn(question, say, () => 'other')],
  missing: 'choose-one',
}

/** Text of spaces, or no choices, is nothing. */
function blank(answer: Answer): Answer | undefined {
  if (typeof answer === 'string') return answer.trim() || undefined
  return typeof answer === 'object' && 'choices' in answer && answer.choices.length === 0 ? undefined : answer
}

const severalModule = (most: (question: SeveralOf) => number | undefined): QuestionModule<SeveralOf> => {
  const module: QuestionModule<SeveralOf> = {
    read(question, sent) {
      const other = sentOther(sent)
      const implied = other ? otherOf(question)?.id : undefined
      const choices = [...sent().filter(Boolean), ...(implied && !(most(question) === 1 && sent()[0]) ? [implied] : [])]
      return module.tidy(question, withOther({ choices }, other))
    },
    fields: (_question, answer) => ({ '': chosenIn(answer) ?? [], other: otherIn(answer) ?? '' }),
    tidy(question, answer) {
      if (typeof answer !== 'object' || !('choices' in answer)) return blank(answer)
      const choices = [...new Set(answer.choices)]
      if (choices.length === 0) return undefined
      const order = new Map(question.options.map((option, index) => [option.id, index]))
      choices.sort((a, b) => (order.get(a) ?? Infinity) - (order.get(b) ?? Infinity) || (a < b ? -1 : 1))
      const takesText = choices.some((id) => optionOf(question, id)?.other)
      return withOther({ choices }, takesText ? tidyText(answer.other ?? '', true) : '')
    },
    check: (question, answer) =>
      typeof answer === 'object' && 'choices' in answer
        ? (checkChosen(question, answer.choices, answer.other) ?? checkNumber(question, answer.choices, most(question)))
        : { code: 'wrong-type' },
    faults(question, at) {
      const faults = optionFaults(question, at)
      const options = offered(question).length
      const max = most(question) ?? Math.max(options, 1)
      const min = question.minChoices ?? 0
      const fits = Math.max(1, min) <= max && (min <= options || question.carry !== undefined)
      return fits ? faults : [...faults, { code: 'out-of-range', pointer: `${at}/maxChoices`, values: { min: Math.max(1, min) } }]
    },
    words: (question, answer, { say }) => wordsOf(question, answer, (option) => say(option.label).text),
    columns: (question, say) => [
      ...question.options.map((option) =>
        column(
          question,
          option.id,
          `${say(question.title)}: ${say(option.label)}`,
          (answer) => {
            const chosen = chosenIn(answer)
            return chosen ? Number(chosen.includes(option.id)) : null
          },
          CHOSEN,
        ),
      ),
      ...otherColumn(question, say, (id) => `${id}.text`),
    ],
    missing: 'choose-some',
  }
  return module
}

function checkNumber(question: SeveralOf, chosen: readonly string[], max: number | undefined): Fault | undefined {
  const { minChoices: min } = question
  if (max !== undefined && chosen.length > max) return { code: 'too-many', values: { max } }
  const alone = chosen.length === 1 && optionOf(question, chosen[0] ?? '')?.exclusive
  return min !== undefined && chosen.length < min && !alone ? { code: 'too-few', values: { min } } : undefined
}

export const severalChoices = severalModule((question) => question.maxChoices)
/** One picture unless the question says otherwise. */
export const pictureChoice = severalModule((question) => question.maxChoices ?? Math.max(1, question.minChoices ?? 1))

const fixedChoice = (ids: readonly string[], missing: 'choose-one' | 'agree'): QuestionModule<QuestionOf<'yes_no' | 'consent'>> => ({
  read: (_question, sent) => (sent()[0] ? { choice: sent()[0] ?? '' } : undefined),
  fields: (_question, answer) => ({ '': chosenIn(answer)?.[0] ?? '' }),
  tidy: (_question, answer) => (typeof answer === 'object' && 'choice' in answer ? { choice: answer.choice } : blank(answer)),
  check: (_question, answer) => {
    if (typeof answer !== 'object' || !('choice' in answer)) return { code: 'wrong-type' }
    return ids.includes(answer.choice) ? undefined : { code: 'not-a-choice' }
  },
  words: (_question, answer, { t }) =>
    (chosenIn(answer) ?? []).map((id) => (id === 'no' ? t('choice.no') : missing === 'agree' ? t('choice.agreed') : t('choice.yes'))),
  columns: (question, say) => [column(question, '', say(question.title), (answer) => chosenIn(answer)?.[0] ?? null)],
  missing,
})

export const yesNo = fixedChoice(['yes', 'no'], 'choose-one')
export const consent = fixedChoice(['yes'], 'agree')
