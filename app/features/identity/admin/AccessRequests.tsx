import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { requestsQuery } from '../identity.queries.ts'

/** People who signed in elsewhere and have no account here. */
export function AccessRequests() {
  const { t } = useTranslation('identity-admin')
  const { t: common } = useTranslation()
  const format = useFormat()
  const queryClient = useQueryClient()
  const requests = useSuspenseQuery(requestsQuery).data.data
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: requestsQuery.queryKey })
  const admit = useMutation({
    mutationFn: (id: string) => api.create('identity-admissions', { relationships: { request: { type: 'identity-requests', id } } }),
    onSuccess,
  })
  const refuse = useMutation({ mutationFn: (id: string) => api.remove('identity-requests', id), onSuccess })
  return (
    <section className="admin-stack">
      <h2>{t('requests.title')}</h2>
      {admit.isSuccess && <Notice kind="success">{t('requests.done')}</Notice>}
      <DataTable
        caption={t('requests.title')}
        rows={requests}
        rowKey={({ id }) => id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('requests.none')} />}
        columns={[
          {
            id: 'who',
            head: t('requests.who'),
            names: true,
            cell: ({ name, email }) => [name, email].filter((one) => one !== null).join(' · '),
          },
          { id: 'provider', head: t('requests.provider'), underName: true, cell: ({ provider }) => provider },
          { id: 'asked', head: t('requests.asked'), underName: true, cell: ({ askedAt }) => format.dateTime(askedAt) },
          {
            id: 'reference',
            head: t('requests.reference'),
            underName: ({ id }) => `${t('requests.reference')}${format.colon}${id}`,
            cell: ({ id }) => id,
          },
          {
            id: 'decide',
            acts: true,
            head: t('requests.admit'),
            cell: ({ id }) => (
              <div className="row">
                <Button size="small" pending={admit.isPending} onClick={() => admit.mutate(id)}>
                  {t('requests.admit')}
                </Button>
                <Button kind="secondary" size="small" pending={refuse.isPending} onClick={() => refuse.mutate(id)}>
                  {t('requests.refuse')}
                </Button>
                <Refusal error={(admit.variables === id && admit.error) || (refuse.variables === id && refuse.error)} />
              </div>
            ),
          },
        ]}
      />
    </section>
  )
}
