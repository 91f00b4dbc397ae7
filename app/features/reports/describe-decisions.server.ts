import type { Describe } from './describe-report.server.ts'
import type { ReportCell } from './report.schema.ts'

const createTextCell = (text: string): ReportCell => (text === '' ? { text: '–', value: null } : { text, value: text })

/** What changed because of what was said: each decision, the surveys that it rests on, and how far it is. */
export const describeDecisions: Describe = ({ decisions }, { t, heard, format, formatDay }) => {
  if (!decisions || decisions.length === 0) return undefined
  return {
    blocks: [
      {
        kind: 'table',
        caption: t('captions.decisions'),
        textColumns: 6,
        heads: [t('heads.decision'), t('heads.project'), t('heads.rests-on'), t('heads.outcome'), t('heads.delivery'), t('heads.due')],
        rows: decisions.map(({ title, project, surveys, outcome, delivery, dueOn, isLate }) => [
          createTextCell(title),
          createTextCell(project),
          createTextCell(format.list(surveys)),
          createTextCell(heard(`outcomes.${outcome}`)),
          createTextCell(heard(`deliveries.${delivery}`)),
          createTextCell(dueOn === null ? '' : isLate ? t('late', { day: formatDay(dueOn) }) : formatDay(dueOn)),
        ]),
      },
      { kind: 'text', text: t('decisions-note') },
    ],
    figures: [],
  }
}
