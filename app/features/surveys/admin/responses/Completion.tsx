import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { type Bar, BarChart } from '#app/ui/bar-chart.tsx'
import type { SuppressibleCount } from '#app/lib/suppressed-cells.ts'
import { surveyCompletionQuery } from '../../surveys.queries.ts'
import { formatDuration } from './format-duration.ts'

/** How far participants got, from the first page to sending, and how long it took. Covers everyone who started, whatever the filter. */
export function Completion({ survey }: { survey: string }) {
  const { t } = useTranslation('survey-admin')
  const { t: words } = useTranslation('survey')
  const format = useFormat()
  const { notShown, whyNotShown } = useNotShown()
  const { data } = useQuery(surveyCompletionQuery(survey))
  if (!data || data.started === 0) return null
  const { started, pages, sent, seconds } = data
  const formatSeconds = (value: number) => formatDuration(Math.round(value))
  const createBar = (label: string, count: SuppressibleCount): Bar =>
    count === null
      ? { label, notShown }
      : {
          label,
          count,
          counted: words('results.counted', { count, number: format.number(count) }),
          ...(started ? { share: { part: count / started, words: format.percent(count / started) } } : {}),
        }
  const hidesSome = [started, sent, ...pages.map(({ reached }) => reached)].includes(null)
  return (
    <details className="panel cross-table">
      <summary>{t('completion.title')}</summary>
      <BarChart
        title={t('completion.how-far')}
        note={[t('completion.note'), ...(hidesSome ? [whyNotShown] : [])].join(' ')}
        heads={{ label: t('completion.step'), bar: words('results.heads.share'), count: words('results.heads.people') }}
        ends={[format.percent(0), format.percent(1)]}
        bars={[
          createBar(t('completion.started'), started),
          ...pages.map((page, index) =>
            createBar(
              t('completion.page', { number: index + 1, title: page.title, context: page.title ? undefined : 'untitled' }),
              page.reached,
            ),
          ),
          createBar(t('completion.sent'), sent),
        ]}
      />
      {seconds && (
        <table className="admin-table">
          <caption>{t('completion.time')}</caption>
          <tbody>
            {(['quarter', 'half', 'threeQuarters'] as const).map((part) => (
              <tr key={part}>
                <th scope="row">{t(`completion.within.${part}`)}</th>
                <td data-align="end">{formatSeconds(seconds[part])}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  )
}
