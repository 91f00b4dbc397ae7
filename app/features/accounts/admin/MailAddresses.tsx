import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ListScreen } from '#app/shell/admin/list-screen.tsx'
import { type ListSearch, useList } from '#app/shell/admin/use-list.tsx'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { MAIL_ADDRESSES_KEY, mailAddressesQuery } from '../outbox.queries.ts'
import { ADDRESSES_PER_PAGE } from '../outbox.schema.ts'

type RefusedAddress = Awaited<ReturnType<NonNullable<ReturnType<typeof mailAddressesQuery>['queryFn']>>>['data'][number]

/** Addresses with delivery failures: those we no longer send to, those still being counted, and a way to reset each. */
export function MailAddresses({ page }: { page: number }) {
  const { t } = useTranslation('admin')
  const format = useFormat()
  const queryClient = useQueryClient()
  const list = useList<ListSearch>({ page }, (search) => linkOptions({ to: '/admin/outbox/addresses', search }))
  const forget = useMutation({
    mutationFn: ({ id }: RefusedAddress) => api.remove('mail-addresses', id),
    onSuccess: (_, { address }) => showToast({ kind: 'success', text: t('mail-addresses.forgotten', { address }) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: MAIL_ADDRESSES_KEY }),
  })
  return (
    <div className="admin-stack">
      <PageHeader
        title={t('mail-addresses.title')}
        meta={t('mail-addresses.text')}
        actions={<Link to="/admin/outbox">{t('outbox.back')}</Link>}
      />
      <ListScreen
        list={list}
        caption={t('mail-addresses.title')}
        query={useQuery(mailAddressesQuery(page))}
        pageSize={ADDRESSES_PER_PAGE}
        none={<EmptyState title={t('mail-addresses.none')}>{t('mail-addresses.none-text')}</EmptyState>}
        columns={[
          {
            id: 'address',
            head: t('mail-addresses.address'),
            names: true,
            cell: (row) => (
              <>
                <span className="breaks-anywhere">{row.address}</span>
                <div className="meta breaks-anywhere">
                  {row.stoppedAt ? (
                    <Badge tone="bad">{t('mail-addresses.stopped')}</Badge>
                  ) : (
                    <Badge tone="warn">{t('mail-addresses.counted', { count: row.softFailures })}</Badge>
                  )}
                  <span>
                    {t(row.reported ? 'mail-addresses.reported' : 'mail-addresses.refused')} {row.reason}
                  </span>
                </div>
              </>
            ),
          },
          { id: 'at', head: t('mail-addresses.at'), secondary: true, cell: (row) => format.dateTime(row.updatedAt) },
          {
            id: 'forget',
            head: t('mail-addresses.act'),
            cell: (row) => (
              <>
                <Button
                  kind="secondary"
                  size="small"
                  pending={forget.isPending && forget.variables.id === row.id}
                  onClick={() => forget.mutate(row)}
                >
                  {t('mail-addresses.forget')}
                  <span className="visually-hidden">: {row.address}</span>
                </Button>
                {forget.variables?.id === row.id && <Refusal error={forget.error} />}
              </>
            ),
          },
        ]}
      />
    </div>
  )
}
