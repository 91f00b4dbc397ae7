import { useTranslation } from 'react-i18next'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import type { ReachAnswers } from '../reach.schema.ts'
import { useReachFormat } from './use-reach-format.ts'

/** What people who took part said about themselves: a table for each question. */
export function WhoTookPart({ answers }: { answers: readonly ReachAnswers[] }) {
  const { t } = useTranslation('reach')
  const { t: admin } = useTranslation('admin')
  const format = useReachFormat()
  if (answers.length === 0) return null
  return (
    <section className="reach-lines">
      <h2>{t('said.title')}</h2>
      <p className="meta">{t('said.text')}</p>
      <div className="reach-tables">
        {answers.map(({ key, title, options }) => (
          <div key={key} className="reach-lines">
            <h3>{title}</h3>
            <DataTable
              caption={title}
              columns={[
                {
                  id: 'option',
                  head: t('said.answer'),
                  names: true,
                  cell: ({ option, label }) => label ?? (isAgeGroup(option) ? admin(`age-groups.${option}`) : option),
                },
                {
                  id: 'people',
                  head: t('said.people'),
                  align: 'end',
                  cell: ({ people }) => (people === null ? t('said.few') : format.number(people)),
                },
              ]}
              rows={options}
              rowKey={({ option }) => option}
              loadingLabel={t('loading')}
              empty={null}
            />
          </div>
        ))}
      </div>
    </section>
  )
}
