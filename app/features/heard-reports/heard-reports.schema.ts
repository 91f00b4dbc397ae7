import type { HomeBlock, HomeBlockView } from '#app/features/homepage/homepage.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { LocalisedText } from '#app/lib/localised-text.ts'
import type { HeardReportKind, HeardReportStatus } from '#app/lib/vocabulary/heard.ts'

/** What a published report says of itself. */
export interface ReportFacts {
  version: number
  status: HeardReportStatus
  /** ISO 8601: when it was published. Its figures are those of this moment. */
  asOf: string
  /** Answers, contributions and replies at that moment. */
  answers: number
  /** How many of them were withdrawn since. */
  gone: number
}

/** A project's published report, in one version. */
export interface ReportView {
  project: { slug: string; title: LocalisedText }
  kind: HeardReportKind
  facts: ReportFacts
  blocks: HomeBlockView[]
  /** The newest first. */
  versions: { version: number; asOf: string; status: HeardReportStatus }[]
  hasDecisions: boolean
  /** Without it, there are no PDFs. */
  canTypeset: boolean
}

/** From an address. @throws {AppError} `not-found` for anything but the number of a version */
export function parseVersion(version: string): number {
  if (!/^[1-9]\d{0,5}$/.test(version)) throw new AppError('not-found')
  return Number(version)
}

/** What a report is about follows from what is in it. */
export function findReportKind(blocks: readonly Pick<HomeBlock, 'type'>[]): HeardReportKind {
  const has = (type: HomeBlock['type']) => blocks.some((block) => block.type === type)
  if (!has('report_decisions')) return 'heard'
  return has('report_theme') || has('report_figure') ? 'both' : 'decided'
}

/** Blocks whose figures are frozen at publication. The others show what their author wrote. */
export const isFrozenBlock = ({ type }: Pick<HomeBlock, 'type'>): boolean => type.startsWith('report_')
