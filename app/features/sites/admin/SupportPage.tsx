import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { grantsQuery } from '../sites.queries.ts'

/** Whether and for how long the platform's support has access to the site, with all earlier grants. */
export function SupportPage() {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const queryClient = useQueryClient()
  const grants = useSuspenseQuery(grantsQuery).data.data
  const open = grants.find((grant) => grant.meta.can.revoke)
  const [reason, setReason] = useState('')
  const change = useMutation({
    mutationFn: async () =>
      open ? api.remove('support-grants', open.id) : void (await api.create('support-grants', { attributes: { reason } })),
    onSuccess: async () => {
      setReason('')
      await queryClient.invalidateQueries({ queryKey: grantsQuery.queryKey })
    },
  })
  return (
    <div className="admin-stack">
      <PageHeader title={admin('nav.support')} meta={t('support.text')} />
      {open ? (
        <Notice kind="warning" title={t('support.open', { until: format.dateTime(open.expiresAt) })}>
          <p>{open.reason}</p>
          <Button kind="secondary" size="small" pending={change.isPending} onClick={() => change.mutate()}>
            {t('support.revoke')}
          </Button>
        </Notice>
      ) : (
        <form
          className="admin-form"
          onSubmit={(event) => {
            event.preventDefault()
            if (reason.trim()) change.mutate()
          }}
        >
          <TextInput
            name="reason"
            label={t('support.reason')}
            hint={t('support.reason-hint')}
            value={reason}
            onChange={setReason}
            maxLength={500}
            required
          />
          <div>
            <Button type="submit" pending={change.isPending} disabled={!reason.trim()}>
              {t('support.grant')}
            </Button>
          </div>
        </form>
      )}
      <Refusal error={change.error} />
      <DataTable
        caption={t('support.history')}
        rows={grants}
        rowKey={(grant) => grant.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('support.none')} />}
        columns={[
          { id: 'reason', head: t('support.reason'), names: true, cell: (grant) => grant.reason },
          { id: 'from', head: t('support.from'), secondary: true, cell: (grant) => format.dateTime(grant.createdAt) },
          { id: 'until', head: t('support.until'), cell: (grant) => format.dateTime(grant.revokedAt ?? grant.expiresAt) },
          {
            id: 'state',
            head: admin('projects.status'),
            underName: true,
            cell: (grant) =>
              grant.id === open?.id ? <Badge tone="warn">{t('support.running')}</Badge> : <Badge hollow>{t('support.over')}</Badge>,
          },
        ]}
      />
    </div>
  )
}
