import type { Language } from '#app/lib/languages.ts'
import { inLanguage } from '#app/lib/translated.ts'
import { type CellValue, CHOSEN, type Holds } from '../questionnaire/question-types/question-type.ts'
import { columnsOf } from './answer-columns.ts'
import type { KeptDefinition } from '../questionnaire/check-definition.ts'
import type { Answers, Definition } from '../surveys.schema.ts'

/** A response as files hold it. */
export interface ExportedRow {
  id: string
  submittedAt: Date
  language: string
  version: number
  source: string
  seconds: number | null
  answers: Answers
  /** What those who read its written answers call them, by question. */
  tags?: Readonly<Record<string, readonly string[]>> | undefined
  /** Of the account, where one is kept and the reader may see personal data. */
  login: string | null
  email: string | null
}

/** One column of every file: what it is called, what it holds, and its value for a response. */
export interface PlanColumn {
  code: string
  label: string
  heading: string
  holds: Holds
  value: (row: ExportedRow) => CellValue
}

/** Everything a file is made from, the same for every format. */
export interface ExportPlan {
  survey: { id: string; slug: string; title: string; anonymous: boolean }
  /** When it was asked for: responses that came later are not in it. */
  at: Date
  language: Language
  personal: boolean
  versions: ReadonlyMap<number, Definition>
  /** Whether any answer has a tag. */
  tagged: boolean
  columns: readonly PlanColumn[]
}

const ownColumn = (code: string, kind: 'text' | 'number', value: PlanColumn['value']): PlanColumn => ({
  code,
  label: code,
  heading: code,
  holds: { kind },
  value,
})

const OWN: readonly PlanColumn[] = [
  ownColumn('response', 'text', (row) => row.id),
  ownColumn('submitted_at', 'text', (row) => row.submittedAt.toISOString()),
  ownColumn('language', 'text', (row) => row.language),
  ownColumn('version', 'number', (row) => row.version),
  ownColumn('source', 'text', (row) => row.source),
  ownColumn('seconds', 'number', (row) => row.seconds),
]
const PERSONAL: readonly PlanColumn[] = [ownColumn('login', 'text', (row) => row.login), ownColumn('email', 'text', (row) => row.email)]

interface Wording {
  language: Language
  fallback: Language
  personal: boolean
  /** Of addresses in files. */
  origin: string
  /** The tags that answers have, by question. */
  tags: ReadonlyMap<string, readonly string[]>
  /** The reader's word for one. */
  tagWord: string
}

/**
 * The columns of a survey's files: the response itself, then every question that any version asked, in the survey's order, each followed by a
 * column for each tag that answers to it have.
 */
export function planColumns(everything: KeptDefinition, { language, fallback, personal, origin, tags, tagWord }: Wording): PlanColumn[] {
  const asked = everything.pages.flatMap((page) =>
    page.questions.flatMap((question) => {
      const own = columnsOf({ ...everything, pages: [{ ...page, questions: [question] }] }, language, fallback)
      const title = inLanguage(question.title, language, fallback)
      return [
        ...own.map(({ value, holdsAddresses, ...column }) => ({
          ...column,
          value: (row: ExportedRow) => {
            const given = value(row.answers)
            return holdsAddresses && typeof given === 'string' ? given.replace(/^(?=\/)/gm, origin) : given
          },
        })),
        ...(tags.get(question.id) ?? []).map((tag) => tagColumn(question.id, tag, `${title}: ${tagWord} “${tag}”`)),
      ]
    }),
  )
  return [...OWN, ...(personal ? PERSONAL : []), ...asked]
}

/** Whether an answer has a tag: empty where there is no answer to have it. */
function tagColumn(question: string, tag: string, label: string): PlanColumn {
  const code = `${question}.tag.${tag}`
  return {
    code,
    label,
    heading: `${label} [${code}]`,
    holds: CHOSEN,
    value: ({ answers, tags }) => (answers[question] === undefined ? null : tags?.[question]?.includes(tag) ? 1 : 0),
  }
}
