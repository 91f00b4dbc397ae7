import type { Answer, Option, Question, QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { TODAY } from './source-survey.ts'

export interface Drawing {
  /** Between 0 and 1. */
  random: () => number
  /** Values that the conditions compare with. */
  literals: readonly string[]
  /** Whether a condition names this option or column. */
  isNamed: (item: Option) => boolean
}

function drawSeveral(question: QuestionOf<'picture_choice' | 'several_choices'>, { random, isNamed }: Drawing): Answer | undefined {
  const share = random()
  const chosen = question.options.filter((option) => random() < (isNamed(option) ? 0.5 : share * 0.5))
  const most = question.type === 'picture_choice' ? (question.maxChoices ?? 1) : question.options.length
  const exclusive = chosen.find((option) => option.exclusive)
  const kept = exclusive ? [exclusive] : chosen.slice(0, most)
  if (kept.length === 0) return undefined
  return { choices: kept.map(({ id }) => id), ...(kept.some((option) => option.other) && { other: 'Something' }) }
}

/** A random answer, often near to what the conditions ask for. */
export function drawAnswer(question: Question, drawing: Drawing): Answer | undefined {
  const { random, literals, isNamed } = drawing
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)]
  const pickItem = (items: readonly Option[]) => (random() < 0.6 ? (pick(items.filter(isNamed)) ?? pick(items)) : pick(items))
  const numbers = literals
    .filter((each) => each.trim() !== '')
    .map(Number)
    .filter(Number.isFinite)
  const pickNumber = () => (pick(numbers) ?? 5) + (pick([-1, 0, 0, 1, 12]) ?? 0)
  switch (question.type) {
    case 'one_choice':
    case 'dropdown': {
      const option = pickItem(question.options)
      return option && { choice: option.id, ...(option.other && { other: 'Something' }) }
    }
    case 'picture_choice':
    case 'several_choices':
      return drawSeveral(question, drawing)
    case 'yes_no':
      return { choice: random() < 0.5 ? 'yes' : 'no' }
    case 'consent':
      return { choice: 'yes' }
    case 'number': {
      const near = pickNumber() + (question.decimals ? (pick([0, 0.5, -0.5]) ?? 0) : 0)
      return question.decimals ? near : Math.round(near)
    }
    case 'slider':
      return question.min + Math.floor(random() * ((question.max - question.min) / (question.step ?? 1) + 1)) * (question.step ?? 1)
    case 'rating':
      return 1 + Math.floor(random() * question.scale.max)
    case 'scale':
      return question.scale.min + Math.floor(random() * (question.scale.max - question.scale.min + 1))
    case 'nps':
      return Math.floor(random() * 11)
    case 'date':
      return new Date(
        Date.parse(pick(literals.filter((each) => /^\d{4}-\d\d-\d\d$/.test(each))) ?? TODAY) +
          (pick([0, 1, -1, 30, -400, -7000]) ?? 0) * 86_400_000,
      )
        .toISOString()
        .slice(0, 10)
    case 'time':
      return pick(['08:00', '12:00', '17:30'])
    case 'short_text':
    case 'long_text':
    case 'email':
    case 'phone': {
      const text = pick([...literals, 'abc', 'Some words', '5'])?.trim() ?? ''
      return pick([text, text, `x${text}`, `${text} y`]) || 'a'
    }
    case 'matrix_one':
    case 'matrix_several': {
      const rows = question.rows.flatMap((row): [string, string[]][] => {
        if (random() < 0.3) return []
        const one = pickItem(question.columns)
        const columns = question.type === 'matrix_one' ? [one?.id ?? ''] : question.columns.filter(() => random() < 0.4).map(({ id }) => id)
        return columns.length > 0 ? [[row.id, columns]] : []
      })
      return rows.length > 0 ? { rows: Object.fromEntries(rows) } : undefined
    }
    case 'ranking': {
      const order = question.options.map(({ id }) => ({ id, lot: random() })).sort((a, b) => a.lot - b.lot)
      const count = Math.floor(random() * (order.length + 1))
      return count > 0 ? { ranks: Object.fromEntries(order.slice(0, count).map(({ id }, index) => [id, index + 1])) } : undefined
    }
    case 'budget':
      return { amounts: Object.fromEntries(question.options.map(({ id }) => [id, Math.floor(random() * 10)])) }
    default:
      return undefined
  }
}
