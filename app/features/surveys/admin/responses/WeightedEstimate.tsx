import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { Question } from '../../surveys.schema.ts'
import { getWeightedEstimate } from '../../results/weighted-estimate.functions.ts'
import type { EstimateRefusal, WeightedEstimate as Estimate } from '../../results/weighted-estimate.schema.ts'

interface WeightedEstimateProps {
  survey: string
  question: Pick<Question, 'id'>
  title: string
}

/** Below a question's figures, if somebody asks for it: what the answers would be if those who answered were like those who live there. */
export function WeightedEstimate({ survey, question, title }: WeightedEstimateProps) {
  const { t } = useTranslation('populations')
  const read = useMutation({ mutationFn: () => getWeightedEstimate({ data: { survey, question: question.id } }) })
  const { faults } = useEditorTexts(read.error)
  return (
    <div className="grid gap-2">
      {!read.data && (
        <Button kind="plain" size="small" pending={read.isPending} onClick={() => read.mutate()}>
          {t('weighted.show')}
          <span className="visually-hidden"> {title}</span>
        </Button>
      )}
      <div aria-live="polite">
        {faults.map(({ message }) => (
          <Notice key={message} kind="error" title={message} />
        ))}
        {read.data && 'refusal' in read.data && <RefusedEstimate refusal={read.data.refusal} />}
        {read.data && 'estimate' in read.data && <EstimateTable estimate={read.data.estimate} title={title} />}
      </div>
    </div>
  )
}

function RefusedEstimate({ refusal }: { refusal: EstimateRefusal }) {
  const { t } = useTranslation('populations')
  const names = 'category' in refusal ? { question: refusal.question, category: refusal.category } : {}
  return (
    <Notice kind="info" title={t('weighted.refused')}>
      {t(`weighted.refusals.${refusal.reason}`, names)}
    </Notice>
  )
}

function EstimateTable({ estimate, title }: { estimate: Estimate; title: string }) {
  const { t } = useTranslation('populations')
  const format = useFormat()
  const { people, effectivePeople, cappedPeople, least, most, largestGap, by } = estimate
  return (
    <section aria-label={t('weighted.title')}>
      <h4>{t('weighted.title')}</h4>
      <DataTable
        caption={t('weighted.caption', { question: title })}
        rows={estimate.options}
        rowKey={({ label }) => label}
        loadingLabel={t('weighted.title')}
        empty={null}
        columns={[
          { id: 'option', head: t('compared.option'), names: true, cell: ({ label }) => label },
          { id: 'plain', head: t('weighted.plain'), align: 'end', cell: ({ plain }) => format.percent(plain) },
          { id: 'weighted', head: t('weighted.estimate'), align: 'end', cell: ({ weighted }) => format.percent(weighted) },
          {
            id: 'interval',
            head: t('weighted.interval'),
            align: 'end',
            cell: ({ from, until }) => t('weighted.range', { from: format.percent(from), until: format.percent(until) }),
          },
        ]}
      />
      <p className="meta">{t('weighted.assumes')}</p>
      <ul className="meta">
        <li>
          {t('weighted.by', {
            questions: format.list(by.map((one) => `${one.question} (${one.source}, ${one.year})`)),
          })}
        </li>
        <li>{t('weighted.caps', { least: format.number(least), most: format.number(most), people: format.number(cappedPeople) })}</li>
        {largestGap > 0.005 && <li>{t('weighted.gap', { share: format.percent(largestGap) })}</li>}
        <li>{t('weighted.effective', { people: format.number(people), effective: format.number(Math.round(effectivePeople)) })}</li>
      </ul>
    </section>
  )
}
