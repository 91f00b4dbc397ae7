import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import type { CountedValue } from './figures.ts'

/**
 * What people are grouped by: a question of the survey, a question about people, which the survey asked or which they answered in their
 * account, or what is known of every response.
 */
export type Grouping = { kind: 'question'; question: string } | { kind: 'profile'; key: string } | { kind: 'language' | 'channel' | 'area' }

/** People in none of the groups: they said something else, or nothing. */
export const NO_GROUP = '~'

export interface ComparedGroup {
  id: string
  label: string
  /** People of the group who answered the survey. */
  people: SuppressibleCount
}

/** A question, or a row of a grid, with the answers of each group side by side. */
export interface ComparedQuestion {
  id: string
  title: string
  /** People could choose several answers. */
  isSeveral: boolean
  rows: { value: string; label: string; cells: CountedValue[]; all: SuppressibleCount }[]
  /** People of each group who answered the question. */
  answered: CountedValue[]
  all: SuppressibleCount
  /** How two groups differ, in one sentence; missing if the figures do not show it. */
  finding?: string | undefined
}

/**
 * A question as a table of shares: a row for each answer, with the people of each group who gave it, of how many of it who answered; the last
 * cell is of all groups together. Null is hidden.
 */
export const listShareRows = ({ rows, answered, all }: ComparedQuestion) =>
  rows.map(({ label, cells, all: inAll }) => ({
    label,
    cells: [...cells.map(({ count }, index) => ({ people: count, of: answered[index]?.count ?? null })), { people: inAll, of: all }],
  }))

export interface GroupComparison {
  /** What the groups are about. */
  title: string
  /** The groups with figures, the largest ones if there are many; people in none of them come last. */
  groups: ComparedGroup[]
  /** Names of groups without figures: few people, or a group that would give these away. */
  hidden: string[]
  /** What people said in their account, rather than in the survey. */
  isFromAccounts: boolean
  /** Numbers are to the nearest five, and small ones are hidden. */
  isInFives: boolean
  questions: ComparedQuestion[]
}

const KNOWN = ['language', 'channel', 'area'] as const
const QUESTION_PATTERN = /^question:([\w-]{1,40})$/
const PROFILE_PATTERN = /^profile:([A-Za-z][\w-]{0,39})$/

/** Reads `language`, `channel`, `area`, `question:way` or `profile:age`. */
export function parseGrouping(text: string): Grouping | undefined {
  const known = KNOWN.find((kind) => kind === text)
  if (known) return { kind: known }
  const question = QUESTION_PATTERN.exec(text)?.[1]
  if (question) return { kind: 'question', question }
  const key = PROFILE_PATTERN.exec(text)?.[1]
  return key ? { kind: 'profile', key } : undefined
}

const ONE_ANSWER_TYPES: ReadonlySet<string> = new Set(['one_choice', 'dropdown', 'demographic', 'yes_no', 'rating', 'scale', 'nps'])

/** Whether everybody gave at most one of a few answers, so that nobody is in two groups. */
export const hasOneAnswer = (type: string): boolean => ONE_ANSWER_TYPES.has(type)
