import type { ThemeNames } from '#app/features/heard/theme-names.server.ts'
import type { ContentLanguage, Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { type CellValue, CHOSEN_CONTENT, type ColumnContent } from '../questionnaire/question-types/question-type.ts'
import { listAnswerColumns } from './answer-columns.ts'
import type { CombinedDefinition } from '../questionnaire/check-definition.ts'
import type { Answers, Definition, QuestionType } from '../surveys.schema.ts'
import type { OwnSettings } from './own-format.schema.ts'

/** A response as exported. */
export interface ExportedRow {
  id: string
  submittedAt: Date
  language: string
  version: number
  source: string
  seconds: number | null
  /** False while nobody has looked at unusually many from one place. */
  counted: boolean
  answers: Answers
  /** Tags of its written answers, by question. */
  tags?: Readonly<Record<string, readonly string[]>> | undefined
  /** From the account, if one is kept and the reader may see personal data. */
  login: string | null
  email: string | null
}

/** One column, in every format: its name, type, and the value for a response. */
export interface PlanColumn {
  code: string
  label: string
  heading: string
  holds: ColumnContent
  /** What text and numbers mean: days, times and moments (ISO 8601, UTC), or steps in an order. */
  means?: 'day' | 'time' | 'moment' | 'order' | undefined
  value: (row: ExportedRow) => CellValue
}

/** Everything an export is built from, the same for every format. */
export interface ExportPlan {
  survey: { id: string; slug: string; title: string }
  settings: OwnSettings
  draft: Definition
  /** When it was requested: later responses are not included. */
  at: Date
  language: Language
  personal: boolean
  versions: ReadonlyMap<number, Definition>
  /** Names of the themes that answers were coded to; undefined if none was. */
  themes: ThemeNames | undefined
  columns: readonly PlanColumn[]
}

const createResponseColumn = (code: string, kind: 'text' | 'number', value: PlanColumn['value']): PlanColumn => ({
  code,
  label: code,
  heading: code,
  holds: { kind },
  value,
})

const RESPONSE_COLUMNS: readonly PlanColumn[] = [
  createResponseColumn('response', 'text', (row) => row.id),
  { ...createResponseColumn('submitted_at', 'text', (row) => row.submittedAt.toISOString()), means: 'moment' },
  createResponseColumn('language', 'text', (row) => row.language),
  createResponseColumn('version', 'number', (row) => row.version),
  createResponseColumn('source', 'text', (row) => row.source),
  createResponseColumn('seconds', 'number', (row) => row.seconds),
]
const COUNTED_COLUMN: PlanColumn = { ...createResponseColumn('counted', 'number', (row) => (row.counted ? 1 : 0)), holds: CHOSEN_CONTENT }
const PERSONAL_COLUMNS: readonly PlanColumn[] = [
  createResponseColumn('login', 'text', (row) => row.login),
  createResponseColumn('email', 'text', (row) => row.email),
]

/** What the answers to a type of question mean, if they are more than text or numbers. */
const MEANINGS: Partial<Record<QuestionType, PlanColumn['means']>> = {
  date: 'day',
  time: 'time',
  rating: 'order',
  scale: 'order',
  likert: 'order',
  ranking: 'order',
}

interface ColumnWording {
  language: ContentLanguage
  fallback: Language
  personal: boolean
  /** Whether any response is in no figure: then a column says which are. */
  hasUncounted: boolean
  /** Prefix for URLs in files. */
  origin: string
  /** Tags in use, by question. */
  tags: ReadonlyMap<string, readonly string[]>
  /** The word for "tag" in the reader's language. */
  tagWord: string
}

/**
 * The columns of a survey's exports: the response itself, then every question of any version in the survey's order, each followed by a
 * column per tag used on its answers.
 */
export function buildPlanColumns(
  everything: CombinedDefinition,
  { language, fallback, personal, hasUncounted, origin, tags, tagWord }: ColumnWording,
): PlanColumn[] {
  const asked = everything.pages.flatMap((page) =>
    page.questions.flatMap((question) => {
      const own = listAnswerColumns({ ...everything, pages: [{ ...page, questions: [question] }] }, language, fallback)
      const title = getTranslation(question.title, language, fallback)
      return [
        ...own.map(({ value, holdsAddresses, ...column }) => ({
          ...column,
          means: MEANINGS[question.type],
          value: (row: ExportedRow) => {
            const given = value(row.answers)
            return holdsAddresses && typeof given === 'string' ? given.replace(/^(?=\/)/gm, origin) : given
          },
        })),
        ...(tags.get(question.id) ?? []).map((tag) => createTagColumn(question.id, tag, `${title}: ${tagWord} “${tag}”`)),
      ]
    }),
  )
  return [...RESPONSE_COLUMNS, ...(hasUncounted ? [COUNTED_COLUMN] : []), ...(personal ? PERSONAL_COLUMNS : []), ...asked]
}

/** Whether an answer has a tag: empty if there is no answer. */
function createTagColumn(question: string, tag: string, label: string): PlanColumn {
  const code = `${question}.tag.${tag}`
  return {
    code,
    label,
    heading: `${label} [${code}]`,
    holds: CHOSEN_CONTENT,
    value: ({ answers, tags }) => (answers[question] === undefined ? null : tags?.[question]?.includes(tag) ? 1 : 0),
  }
}
