import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFormat } from '#app/shell/use-format.ts'
import { useNotShown } from '#app/shell/use-not-shown.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { surveyAreasQuery } from '../areas.queries.ts'

/** Where respondents live, if they have said so. */
export function SurveyAreas({ survey }: { survey: string }) {
  const { t } = useTranslation('city-admin')
  const { t: common } = useTranslation()
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const { notShown } = useNotShown()
  const { data, isError, isPending } = useQuery(surveyAreasQuery(survey))
  if (data?.length === 0) return null
  return (
    <section className="admin-stack">
      <h2>{t('areas.live')}</h2>
      <p>{t('areas.live-text')}</p>
      <DataTable
        caption={t('areas.live')}
        columns={[
          { id: 'name', head: t('areas.area'), names: true, cell: (row) => row.name },
          {
            id: 'responses',
            head: t('areas.answers'),
            align: 'end',
            cell: (row) => (row.responses === null ? notShown : format.number(row.responses)),
          },
        ]}
        rows={data ?? []}
        rowKey={(row) => row.id}
        state={isError ? 'error' : isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('areas.none')} />}
        error={<Notice kind="error" title={admin('load-failed')} />}
      />
    </section>
  )
}
