import type { QuestionOf } from '#app/features/surveys/surveys.schema.ts'
import { createColumn, type FieldValues, type QuestionModule, type ReadSentPart } from '../question-type.ts'

type MomentQuestionType = QuestionOf<'date' | 'time'>

export const DATE_PARTS = ['day', 'month', 'year'] as const

/** A valid date as `2026-03-27`, otherwise the typed parts in that order, to show them again. */
function readDate(sent: ReadSentPart): string {
  const [day = '', month = '', year = ''] = DATE_PARTS.map((part) => (sent(`-${part}`)[0] ?? '').trim())
  if (!day && !month && !year) return ''
  return `${year}-${month.padStart(2, month ? '0' : '')}-${day.padStart(2, day ? '0' : '')}`
}

/** Normalises `9`, `9:30`, `09.30`, `9h30`, `9 pm` and `9:30 p.m.` to 24-hour `09:30`; otherwise returns the text as typed. */
function readTime(typed: string): string {
  const text = typed.trim()
  const [, hours, minutes = '00', half] = /^(\d{1,2})(?:\s*[:.h]\s*(\d{2})?)?\s*([ap]\.?m\.?)?$/i.exec(text) ?? []
  if (!hours) return text
  const late = half?.toLowerCase().startsWith('p')
  const hour = half ? (Number(hours) % 12) + (late ? 12 : 0) : Number(hours)
  if (hour > 23 || Number(minutes) > 59 || (half && Number(hours) > 12)) return text
  return `${String(hour).padStart(2, '0')}:${minutes}`
}

const isClockTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text)

function isRealDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

export const moment: QuestionModule<MomentQuestionType> = {
  read: (question, sent) => (question.type === 'date' ? readDate(sent) : readTime(sent()[0] ?? '')) || undefined,
  fields(question, answer): FieldValues {
    if (typeof answer !== 'string') return {}
    if (question.type === 'time') return { '': answer }
    const [year = '', month = '', day = ''] = answer.split('-')
    return { '-day': day, '-month': month, '-year': year }
  },
  tidy: (question, answer) => {
    if (typeof answer !== 'string') return answer
    return (question.type === 'time' ? readTime(answer) : answer.trim()) || undefined
  },
  check(question, answer) {
    if (typeof answer !== 'string') return { code: 'wrong-type' }
    if (question.type === 'date' && !isRealDay(answer)) return { code: 'not-a-date' }
    if (question.type === 'time' && !isClockTime(answer)) return { code: 'wrong-format' }
    const { earliest: min, latest: max } = question
    const outside = (min !== undefined && answer < min) || (max !== undefined && answer > max)
    return outside ? { code: 'out-of-range', values: { ...(min && { min }), ...(max && { max }) } } : undefined
  },
  faults: ({ earliest: min, latest: max }, at) =>
    min && max && min > max ? [{ code: 'dates-out-of-order', pointer: `${at}/latest` }] : [],
  words(question, answer, { format }) {
    if (typeof answer !== 'string') return []
    const isDate = question.type === 'date'
    if (!(isDate ? isRealDay : isClockTime)(answer)) return [answer]
    return [isDate ? format.date(`${answer}T12:00:00Z`) : format.clock(answer)]
  },
  columns: (question, say) => [createColumn(question, '', say(question.title), (answer) => (typeof answer === 'string' ? answer : null))],
  missing: 'date',
}

export const time: QuestionModule<MomentQuestionType> = { ...moment, missing: 'time' }
