import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { differingSheetsQuery, forgetBudgets, optionsQuery } from '../budgets.queries.ts'

type Sheet = Resource<'budget-paper-sheets'>
type Reading = NonNullable<Sheet['readings']>[number]

/** Sheets that two people have typed differently, with both readings, to be settled with the paper in hand. */
export function PaperDifferences({ round, batch }: { round: string; batch: string }) {
  const { t } = useTranslation('budgets-admin')
  const queryClient = useQueryClient()
  const sheets = useSuspenseQuery(differingSheetsQuery(batch)).data.data
  const settle = useMutation({
    mutationFn: ({ sheet, reading: { options, points, spoiltReason } }: { sheet: string; reading: Reading }) =>
      api.update('budget-paper-sheets', sheet, {
        attributes: spoiltReason === null ? { options, ...(points && { points }) } : { spoiltReason },
      }),
    onSettled: () => forgetBudgets(queryClient),
  })
  const words = useEditorTexts(settle.error)
  return (
    <section className="admin-stack" aria-labelledby="differences-heading">
      <h2 id="differences-heading">{t('paper.differences')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {sheets.length === 0 && <p>{t('paper.differences-none')}</p>}
      {sheets.map(({ id, number, readings = [] }) => (
        <div key={id} className="admin-panel">
          <div>
            <h3>{t('paper.sheet', { number })}</h3>
            <dl className="budget-facts">
              {readings.map((reading, at) => (
                <div key={at}>
                  <dt>{t(at === 0 ? 'paper.first' : 'paper.second')}</dt>
                  <dd>
                    <ReadingText round={round} reading={reading} />
                  </dd>
                </div>
              ))}
            </dl>
            <div className="row">
              {readings.map((reading, at) => (
                <Button
                  key={at}
                  kind="secondary"
                  size="small"
                  pending={settle.isPending}
                  onClick={() => settle.mutate({ sheet: id, reading })}
                >
                  {t(at === 0 ? 'paper.use-first' : 'paper.use-second')}
                  <span className="visually-hidden"> {t('paper.sheet', { number })}</span>
                </Button>
              ))}
            </div>
          </div>
        </div>
      ))}
    </section>
  )
}

function ReadingText({ round, reading: { options: numbers, points, spoiltReason } }: { round: string; reading: Reading }) {
  const { t } = useTranslation('budgets-admin')
  const format = useFormat()
  const options = useSuspenseQuery(optionsQuery(round)).data.data
  if (spoiltReason !== null) return t('paper.reading-spoilt', { reason: spoiltReason })
  return format.list(
    numbers.map((number, at) => {
      const option = `${number}. ${options.find((one) => one.number === number)?.title ?? ''}`
      return points ? t('paper.reading-points', { option, points: format.number(points[at] ?? 0) }) : option
    }),
  )
}
