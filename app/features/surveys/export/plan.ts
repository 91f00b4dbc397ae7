import type { Language } from '#app/lib/languages.ts'
import type { CellValue, Holds } from '../question-types/question-type.ts'
import { columnsOf } from '../surveys.columns.ts'
import type { KeptDefinition } from '../surveys.definition.ts'
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

/** The columns of a survey's files: the response itself, then every question that any version asked, in the survey's order. */
export function planColumns(
  everything: KeptDefinition,
  { language, fallback, personal, origin }: { language: Language; fallback: Language; personal: boolean; origin: string },
): PlanColumn[] {
  const asked = columnsOf(everything, language, fallback).map(({ value, holdsAddresses, ...column }) => ({
    ...column,
    value: (row: ExportedRow) => {
      const given = value(row.answers)
      return holdsAddresses && typeof given === 'string' ? given.replace(/^(?=\/)/gm, origin) : given
    },
  }))
  return [...OWN, ...(personal ? PERSONAL : []), ...asked]
}
