import { getScaleEnds } from '#app/features/surveys/questionnaire/question-types/scales/scales.ts'
import { listQuestions } from '#app/features/surveys/questionnaire/answers.ts'
import { expandCarriedOptions } from '#app/features/surveys/questionnaire/carried-options.ts'
import { walkSurvey } from '#app/features/surveys/questionnaire/walk-survey.ts'
import type { Answer, Answers, Definition, Question, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Random } from '#app/lib/random.ts'
import type { Crowd, DemoSurvey, CrowdKind, WordPool } from './content/types.ts'

export const buildDefinition = ({ pages, endings, quotas }: DemoSurvey): Definition => ({
  schema: 1,
  pages,
  ...(endings && { endings }),
  ...(quotas && { quotas }),
})

/** One person's answers: consistent in kind and mood, and a little less patient with each question. */
export function answerSurvey(survey: DemoSurvey, crowd: Crowd, language: Language, random: Random): Answers {
  const kindName = random.weighted(Object.fromEntries(crowd.kinds.map((kind) => [kind.name, kind.share])))
  const kind = crowd.kinds.find((candidate) => candidate.name === kindName)!
  const mood = random.normal(0, 0.6)
  const definition = expandCarriedOptions(buildDefinition(survey))
  const questions = listQuestions(definition)
  const answers: Answers = {}
  questions.forEach((question, position) => {
    const isText = question.type === 'short_text' || question.type === 'long_text'
    const tired = 0.02 + (0.09 * position) / questions.length
    if (!question.required && !isText && random.chance(tired)) return
    const answer = answerQuestion(question, { crowd, kind, mood, language, random })
    if (answer !== undefined) answers[question.id] = answer
  })
  return walkSurvey(definition, answers, '').kept
}

interface Respondent {
  crowd: Crowd
  kind: CrowdKind
  mood: number
  language: Language
  random: Random
}

function answerQuestion(question: Question, person: Respondent): Answer | undefined {
  const { crowd, kind, mood, random } = person
  const usual = crowd.usual[question.id]
  const lean = kind.leans?.[question.id]
  switch (question.type) {
    case 'rating':
    case 'scale':
    case 'nps': {
      const middle = typeof usual === 'number' ? usual : 3
      const shift = typeof lean === 'number' ? lean : 0
      const { min, max } = getScaleEnds(question)
      const wide = (max - min) / 4
      return Math.min(max, Math.max(min, Math.round(random.normal(middle + shift + mood * 0.7 * wide, 0.85 * wide))))
    }
    case 'one_choice':
    case 'dropdown':
    case 'demographic': {
      const weights = applyLeanings(question, usual, lean)
      const choice = random.weighted(weights)
      const isOther = question.options.some((option) => option.id === choice && option.other)
      if (!isOther) return { choice }
      const words = writeText(crowd.words[`${question.id}.other`], person)
      return words ? { choice, other: words } : { choice: random.weighted({ ...weights, [choice]: 0 }) }
    }
    case 'several_choices':
    case 'picture_choice':
      return answerSeveral(question, applyLeanings(question, usual, lean), person)
    case 'short_text':
    case 'long_text': {
      const chance = (typeof usual === 'number' ? usual : 0.3) * (typeof lean === 'number' ? lean : 1)
      if (!question.required && !random.chance(Math.min(0.97, chance))) return undefined
      return writeText(crowd.words[question.id], person, question.type === 'long_text')
    }
    default:
      return answerOther(question, usual, person)
  }
}

function applyLeanings(
  question: QuestionOf<'one_choice' | 'dropdown' | 'demographic' | 'several_choices' | 'picture_choice'>,
  usual: Record<string, number> | number | undefined,
  lean: Record<string, number> | number | undefined,
): Record<string, number> {
  return Object.fromEntries(
    question.options.map((option) => {
      const base = typeof usual === 'object' ? (usual[option.id] ?? 0) : 1
      return [option.id, base * (typeof lean === 'object' ? (lean[option.id] ?? 1) : 1)]
    }),
  )
}

function answerSeveral(
  question: QuestionOf<'several_choices' | 'picture_choice'>,
  chances: Record<string, number>,
  person: Respondent,
): Answer {
  const { crowd, random } = person
  const options = question.options
  const alone = options.find((option) => option.exclusive)
  if (alone && random.chance(chances[alone.id] ?? 0)) return { choices: [alone.id] }
  const open = options.filter((option) => !option.exclusive)
  let taken = open.filter((option) => random.chance(Math.min(0.95, chances[option.id] ?? 0))).map((option) => option.id)
  const most = question.maxChoices ?? (question.type === 'picture_choice' ? 1 : undefined)
  if (most) taken = random.shuffle(taken).slice(0, most)
  while (taken.length < Math.max(1, question.minChoices ?? 0)) {
    const left = Object.fromEntries(
      open.filter((option) => !option.other && !taken.includes(option.id)).map((option) => [option.id, chances[option.id] ?? 0.01]),
    )
    taken.push(random.weighted(left))
  }
  const other = open.find((option) => option.other && taken.includes(option.id))
  const words = other ? writeText(crowd.words[`${question.id}.other`], person) : undefined
  if (other && !words) taken = taken.filter((id) => id !== other.id)
  const choices = options.filter((option) => taken.includes(option.id)).map((option) => option.id)
  if (choices.length === 0)
    choices.push(
      random.weighted(Object.fromEntries(open.filter((option) => !option.other).map((option) => [option.id, chances[option.id] ?? 0.01]))),
    )
  return words ? { choices, other: words } : { choices }
}

/** Answers to all types other than single scales, choices and text. */
function answerOther(question: Question, usual: Record<string, number> | number | undefined, person: Respondent): Answer | undefined {
  const { crowd, mood, random } = person
  switch (question.type) {
    case 'consent':
      return { choice: 'yes' }
    case 'yes_no':
      return { choice: random.weighted(typeof usual === 'object' ? usual : { yes: 1, no: 1 }) }
    case 'number':
    case 'slider': {
      const middle = typeof usual === 'number' ? usual : 10
      const step = question.type === 'slider' ? (question.step ?? 1) : 1
      const given = Math.round(random.normal(middle, middle / 2) / step) * step
      return Math.min(question.max ?? Infinity, Math.max(question.min ?? 0, given))
    }
    case 'likert':
    case 'matrix_one':
    case 'matrix_several': {
      const rows = question.rows.map(({ id }) => {
        const place = Math.round(random.normal((question.columns.length - 1) / 2 + mood * 0.5, 0.8))
        const column = question.columns[Math.min(question.columns.length - 1, Math.max(0, place))]?.id ?? ''
        const more = question.type === 'matrix_several' ? question.columns.map((each) => each.id).filter(() => random.chance(0.3)) : []
        return [id, question.columns.map((each) => each.id).filter((each) => each === column || more.includes(each))] as const
      })
      return { rows: Object.fromEntries(rows) }
    }
    case 'ranking':
      return { ranks: Object.fromEntries(random.shuffle(question.options).map(({ id }, place) => [id, place + 1])) }
    case 'budget':
      return { amounts: shareOut(question, typeof usual === 'object' ? usual : {}, random) }
    case 'time':
      return `${String(random.int(6, 18)).padStart(2, '0')}:${random.pick(['00', '15', '30', '45'])}`
    case 'date':
      return `${random.int(2027, 2029)}-${random.pick(['03', '06', '09'])}-${random.pick(['01', '15', '30'])}`
    case 'place': {
      const address = random.chance(typeof usual === 'number' ? usual : 0.5) ? writeText(crowd.words[question.id], person) : undefined
      return address ? { place: { address } } : undefined
    }
    case 'address': {
      const [postcode] = crowd.words[question.id]?.['all']?.[person.language] ?? []
      return postcode && random.chance(0.5) ? { address: { postcode } } : undefined
    }
    default:
      return undefined
  }
}

/** Splits the whole total in steps of a twentieth, in proportion to the weights. */
function shareOut({ options, total }: QuestionOf<'budget'>, weights: Record<string, number>, random: Random): Record<string, number> {
  const parts = Array.from({ length: 20 }, () => random.weighted(Object.fromEntries(options.map(({ id }) => [id, weights[id] ?? 1]))))
  return Object.fromEntries(options.map(({ id }) => [id, (parts.filter((part) => part === id).length * total) / 20]))
}

/** Something that this kind of person would write, in their language, the way people type. */
function writeText(pool: WordPool | undefined, { kind, language, random }: Respondent, mayJoin = false): string | undefined {
  const own = pool?.[kind.name]?.[language] ?? []
  const shared = pool?.['all']?.[language] ?? []
  const from = own.length && (shared.length === 0 || random.chance(0.65)) ? own : shared
  if (from.length === 0) return undefined
  const first = random.pick(from)
  const rest = [...own, ...shared].filter((text) => text !== first)
  const text = mayJoin && rest.length && random.chance(0.16) ? `${first} ${random.pick(rest)}` : first
  return addTypingHabits(text, random)
}

function addTypingHabits(text: string, random: Random): string {
  let words = text
  if (random.chance(0.07)) words = words.charAt(0).toLowerCase() + words.slice(1)
  if (random.chance(0.09)) words = words.replace(/\.$/, '')
  else if (random.chance(0.03)) words = words.replace(/\.$/, '!')
  return words
}
