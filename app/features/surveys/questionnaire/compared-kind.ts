import type { Question } from '../surveys.schema.ts'

export type ComparedKind = 'number' | 'date' | 'time' | 'text'

const KINDS: Partial<Record<Question['type'], ComparedKind>> = {
  rating: 'number',
  scale: 'number',
  nps: 'number',
  number: 'number',
  slider: 'number',
  ranking: 'number',
  budget: 'number',
  date: 'date',
  time: 'time',
  short_text: 'text',
  long_text: 'text',
  email: 'text',
  phone: 'text',
}

/** As what an answer can be compared with another; undefined if it has no value of its own. Of a ranking or a budget, one item is compared. */
export const getComparedKind = ({ type }: Question): ComparedKind | undefined => KINDS[type]

/** Whether the value of one item is compared, rather than the answer as a whole. */
export const isComparedByItem = ({ type }: Question): boolean => type === 'ranking' || type === 'budget'
