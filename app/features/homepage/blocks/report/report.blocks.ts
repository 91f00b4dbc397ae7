import type { ReportPart } from '#app/features/heard/report-part.schema.ts'
import { type Fields, line, question, rich, theme } from '../../block-fields.ts'
import { defineBlock } from '../../define-block.ts'

export interface ReportPartData {
  /** Null if there is nothing to show: what was chosen is gone, or the page reports on no project. */
  part: ReportPart | null
}

const words = { title: line(), body: rich() }

/** A block of a report: a heading and words of its own, around what it shows of the project. */
const defineReportBlock = <const Type extends string, F extends Fields>(type: Type, fields: F) =>
  defineBlock(type, { ...words, ...fields }, { isEmpty: (_, { part }: ReportPartData) => part === null })

/** The figure of a question, with its table, and the same by the answers to another one of its survey. */
export const reportFigure = defineReportBlock('report_figure', { question: question(), comparedBy: question({ isGrouping: true }) })
/** A theme that people raised, with quotes. */
export const reportTheme = defineReportBlock('report_theme', { chosen: theme() })
/** Who took part. */
export const reportPeople = defineReportBlock('report_people', {})
/** How people were asked, and how their words were read. */
export const reportMethod = defineReportBlock('report_method', {})
/** What was decided, and why. */
export const reportDecisions = defineReportBlock('report_decisions', {})
/** What happens next. */
export const reportNext = defineReportBlock('report_next', {})
