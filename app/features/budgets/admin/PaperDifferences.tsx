import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Resource } from '#app/lib/api-client/resource-types.ts'
import { EditDialog } from '#app/shell/admin/edit-dialog.tsx'
import { api } from '#app/shell/api.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { differingSheetsQuery, forgetBudgets, optionsQuery } from '../budgets.queries.ts'
import type { RoundDocument } from './EditRound.tsx'
import { describeMarks, NO_MARKS, SheetMarks } from './SheetMarks.tsx'

type Sheet = Resource<'budget-paper-sheets'>
type Reading = NonNullable<Sheet['readings']>[number]

/** Sheets that two people have typed differently, with both readings, to be settled with the paper in hand. */
export function PaperDifferences({ round, batch }: { round: RoundDocument; batch: string }) {
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
  const [retyping, setRetyping] = useState<Sheet>()
  return (
    <section className="admin-stack" aria-labelledby="differences-heading">
      <h2 id="differences-heading">{t('paper.differences')}</h2>
      {words.faults.map(({ message }) => (
        <Notice key={message} kind="error" title={message} />
      ))}
      {sheets.length === 0 && <p>{t('paper.differences-none')}</p>}
      {sheets.map((sheet) => {
        const { id, number, readings = [] } = sheet
        return (
          <div key={id} className="admin-panel">
            <div>
              <h3>{t('paper.sheet', { number })}</h3>
              <dl className="budget-facts">
                {readings.map((reading, at) => (
                  <div key={at}>
                    <dt>{t(at === 0 ? 'paper.first' : 'paper.second')}</dt>
                    <dd>
                      <ReadingText round={round.id} reading={reading} />
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
                <Button kind="plain" size="small" onClick={() => setRetyping(sheet)}>
                  {t('paper.use-neither')}
                  <span className="visually-hidden"> {t('paper.sheet', { number })}</span>
                </Button>
              </div>
            </div>
          </div>
        )
      })}
      {retyping && <RetypeSheet round={round} sheet={retyping} onClose={() => setRetyping(undefined)} />}
    </section>
  )
}

/** What is really on a sheet, if neither reading is right. */
function RetypeSheet({ round, sheet, onClose }: { round: RoundDocument; sheet: Sheet; onClose: () => void }) {
  const { t } = useTranslation('budgets-admin')
  const queryClient = useQueryClient()
  const [marks, setMarks] = useState(NO_MARKS)
  const save = useMutation({
    mutationFn: () => api.update('budget-paper-sheets', sheet.id, { attributes: describeMarks(round, marks) }),
    onSuccess: async () => {
      onClose()
      await forgetBudgets(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <EditDialog
      title={t('paper.sheet', { number: sheet.number })}
      saveLabel={t('paper.save')}
      save={save}
      faults={words.faults}
      onClose={onClose}
      size="medium"
    >
      <SheetMarks
        round={round}
        marks={marks}
        onChange={(more) => setMarks((before) => ({ ...before, ...more }))}
        messageOf={words.messageOf}
      />
    </EditDialog>
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
