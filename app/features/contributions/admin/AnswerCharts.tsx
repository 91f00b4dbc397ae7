import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { type Bar, BarChart } from '#app/ui/bar-chart.tsx'
import { Text } from '#app/ui/text.tsx'
import type { AnswerCounts } from '../results/activity-results.schema.ts'

/** What was answered to the extra questions, each as a table drawn as bars. */
export function AnswerCharts({ answers, total }: { answers: readonly AnswerCounts[]; total: number }) {
  const { t } = useTranslation('contributions-admin')
  if (answers.length === 0) return null
  return (
    <section className="reach-lines">
      <h2>{t('fields.answers')}</h2>
      {answers.map((counts) => (
        <div key={counts.id} className="chart-card">
          <AnswerChart counts={counts} total={total} />
        </div>
      ))}
    </section>
  )
}

function AnswerChart({ counts, total }: { counts: AnswerCounts; total: number }) {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const { title, answered, lines } = counts
  const note = useNote(counts, total)
  const { notShown } = useNotShown()
  if (lines.length === 0)
    return (
      <section className="chart">
        <h3 className="chart-title">
          <Text words={title} />
        </h3>
        <p className="chart-note">{note}</p>
      </section>
    )
  return (
    <BarChart
      title={<Text words={title} />}
      note={note}
      heads={{
        label: t('results.answer'),
        bar: t('results.share'),
        count: t('queue.title'),
      }}
      ends={[format.percent(0), format.percent(1)]}
      bars={lines.map(({ name, count }): Bar => {
        if (count === null) return { label: name, notShown }
        const part = answered ? Math.min(1, count / answered) : 0
        return {
          label: name,
          count,
          ...(answered === null ? {} : { share: { part, words: format.percent(part) } }),
          counted: format.number(count),
        }
      })}
    />
  )
}

/** How many the figure is about, its averages, and what to know of it. */
function useNote({ answered, lines, hasUnlisted, mean, median, isSeveral, shownTo, isArchived }: AnswerCounts, total: number): string {
  const { t } = useTranslation('contributions-admin')
  const format = useFormat()
  const roundToTenth = (value: number) => format.number(Math.round(value * 10) / 10)
  const { whyNotShown } = useNotShown()
  const hidesSome = answered === null || hasUnlisted || lines.some(({ count }) => count === null)
  return [
    answered === null
      ? t('results.answered-hidden')
      : t('results.answered-of', { total: format.number(total), answered: format.number(answered) }),
    ...(mean === null || median === null
      ? []
      : [
          t('results.average', {
            mean: roundToTenth(mean),
            median: format.number(median),
          }),
        ]),
    ...(isSeveral ? [t('results.several')] : []),
    ...(hasUnlisted ? [t(lines.length === 0 ? 'results.none-shown' : 'results.some-unlisted')] : []),
    ...(hidesSome ? [whyNotShown] : []),
    ...(isArchived ? [t('results.archived')] : []),
    ...(shownTo === 'staff' ? [t('fields.team-only')] : []),
  ]
    .map((sentence) => sentence.replace(/\.$/, ''))
    .join('. ')
}
