import type { Answer, Answers, Question, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import type { Language } from '#app/lib/languages.ts'
import type { Random } from '#app/lib/random.ts'
import type { Crowd, DemoSurvey, Kind, WordPool } from './content/types.ts'

/** One person's answers: of one kind throughout, in one mood, a little less patient with each question. */
export function answerSurvey(survey: DemoSurvey, crowd: Crowd, language: Language, random: Random): Answers {
  const kindName = random.weighted(Object.fromEntries(crowd.kinds.map((kind) => [kind.name, kind.share])))
  const kind = crowd.kinds.find((candidate) => candidate.name === kindName)!
  const mood = random.normal(0, 0.6)
  const questions = survey.pages.flatMap((page) => page.questions)
  const answers: Answers = {}
  questions.forEach((question, position) => {
    const isText = question.type === 'short_text' || question.type === 'long_text'
    const tired = 0.02 + (0.09 * position) / questions.length
    if (!question.required && !isText && random.chance(tired)) return
    const answer = answerQuestion(question, { crowd, kind, mood, language, random })
    if (answer !== undefined) answers[question.id] = answer
  })
  return answers
}

interface Person {
  crowd: Crowd
  kind: Kind
  mood: number
  language: Language
  random: Random
}

function answerQuestion(question: Question, person: Person): Answer | undefined {
  const { crowd, kind, mood, random } = person
  const usual = crowd.usual[question.id]
  const lean = kind.leans?.[question.id]
  switch (question.type) {
    case 'rating': {
      const middle = typeof usual === 'number' ? usual : 3
      const shift = typeof lean === 'number' ? lean : 0
      return Math.min(question.scale.max, Math.max(1, Math.round(random.normal(middle + shift + mood * 0.7, 0.85))))
    }
    case 'one_choice': {
      const weights = leaning(question, usual, lean)
      const choice = random.weighted(weights)
      const isOther = question.options.some((option) => option.id === choice && option.other)
      if (!isOther) return { choice }
      const words = write(crowd.words[`${question.id}.other`], person)
      return words ? { choice, other: words } : { choice: random.weighted({ ...weights, [choice]: 0 }) }
    }
    case 'several_choices':
      return severalOf(question, leaning(question, usual, lean), person)
    case 'short_text':
    case 'long_text': {
      const chance = (typeof usual === 'number' ? usual : 0.3) * (typeof lean === 'number' ? lean : 1)
      if (!question.required && !random.chance(Math.min(0.97, chance))) return undefined
      return write(crowd.words[question.id], person, question.type === 'long_text')
    }
  }
}

function leaning(
  question: QuestionOf<'one_choice' | 'several_choices'>,
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

function severalOf(question: QuestionOf<'several_choices'>, chances: Record<string, number>, person: Person): Answer {
  const { crowd, random } = person
  const options = question.options
  const alone = options.find((option) => option.exclusive)
  if (alone && random.chance(chances[alone.id] ?? 0)) return { choices: [alone.id] }
  const open = options.filter((option) => !option.exclusive)
  let taken = open.filter((option) => random.chance(Math.min(0.95, chances[option.id] ?? 0))).map((option) => option.id)
  if (question.maxChoices) taken = random.shuffle(taken).slice(0, question.maxChoices)
  while (taken.length < Math.max(1, question.minChoices ?? 0)) {
    const left = Object.fromEntries(
      open.filter((option) => !option.other && !taken.includes(option.id)).map((option) => [option.id, chances[option.id] ?? 0.01]),
    )
    taken.push(random.weighted(left))
  }
  const other = open.find((option) => option.other && taken.includes(option.id))
  const words = other ? write(crowd.words[`${question.id}.other`], person) : undefined
  if (other && !words) taken = taken.filter((id) => id !== other.id)
  const choices = options.filter((option) => taken.includes(option.id)).map((option) => option.id)
  if (choices.length === 0)
    choices.push(
      random.weighted(Object.fromEntries(open.filter((option) => !option.other).map((option) => [option.id, chances[option.id] ?? 0.01]))),
    )
  return words ? { choices, other: words } : { choices }
}

/** Something this kind of person would write, in their language, typed as people type. */
function write(pool: WordPool | undefined, { kind, language, random }: Person, mayJoin = false): string | undefined {
  const own = pool?.[kind.name]?.[language] ?? []
  const shared = pool?.['all']?.[language] ?? []
  const from = own.length && (shared.length === 0 || random.chance(0.65)) ? own : shared
  if (from.length === 0) return undefined
  const first = random.pick(from)
  const rest = [...own, ...shared].filter((text) => text !== first)
  const text = mayJoin && rest.length && random.chance(0.16) ? `${first} ${random.pick(rest)}` : first
  return typed(text, random)
}

function typed(text: string, random: Random): string {
  let words = text
  if (random.chance(0.07)) words = words.charAt(0).toLowerCase() + words.slice(1)
  if (random.chance(0.09)) words = words.replace(/\.$/, '')
  else if (random.chance(0.03)) words = words.replace(/\.$/, '!')
  return words
}
