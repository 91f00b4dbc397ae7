import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Refusal } from '#app/shell/admin/refusal.tsx'
import { api } from '#app/shell/api.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { AdminIcon } from '#app/ui/admin/admin-icon.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { invalidateHubs, hubListQuery } from '../hubs.queries.ts'
import { HubBadge } from './HubBadge.tsx'

/** The site's departments, in display order. */
export function HubsPage() {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const queryClient = useQueryClient()
  const hubs = useSuspenseQuery(hubListQuery).data.data
  const mayCreate = useViewer()?.roleName === 'site_admin'
  const [making, setMaking] = useState(false)
  const move = useMutation({
    mutationFn: async ({ from, to }: { from: number; to: number }) => {
      const order = hubs.toSpliced(from, 1).toSpliced(to, 0, ...hubs.slice(from, from + 1))
      for (const [position, hub] of order.entries()) {
        if (hub.position === position) continue
        // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the order never depends on which was faster
        await api.update('hubs', hub.id, { attributes: { position } }, { lockVersion: hub.meta.lockVersion })
      }
    },
    onSettled: () => invalidateHubs(queryClient),
  })
  return (
    <>
      <PageHeader title={admin('nav.hubs')} actions={mayCreate && <Button onClick={() => setMaking(true)}>{t('hubs.new')}</Button>} />
      <DataTable
        caption={admin('nav.hubs')}
        rows={hubs}
        rowKey={(hub) => hub.id}
        state={move.isPending ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('hubs.none')}>{t('hubs.none-text')}</EmptyState>}
        columns={[
          {
            id: 'title',
            head: t('hubs.name'),
            names: true,
            cell: (hub) =>
              hub.meta.can.update ? (
                <Link to="/admin/hubs/$id" params={{ id: hub.id }}>
                  {hub.title}
                </Link>
              ) : (
                hub.title
              ),
          },
          {
            id: 'state',
            head: admin('projects.status'),
            underName: true,
            cell: (hub) => <HubBadge isPublished={hub.isPublished} />,
          },
          { id: 'contact', head: t('hubs.contact'), secondary: true, cell: (hub) => hub.contactEmail ?? '–' },
          {
            id: 'projects',
            head: admin('nav.projects'),
            cell: (hub) => (
              <Link to="/admin/projects" search={{ hub: hub.id }}>
                {t('hubs.see-projects')}
                <span className="visually-hidden"> {hub.title}</span>
              </Link>
            ),
          },
          ...(mayCreate
            ? [
                {
                  id: 'order',
                  head: t('hubs.order'),
                  cell: (hub: (typeof hubs)[number]) => {
                    const from = hubs.indexOf(hub)
                    return (
                      <span className="row">
                        {(['up', 'down'] as const).map((way) => {
                          const to = way === 'up' ? from - 1 : from + 1
                          return (
                            <button
                              key={way}
                              type="button"
                              className="icon-button"
                              aria-label={t(`hubs.${way}`, { name: hub.title })}
                              disabled={move.isPending || to < 0 || to >= hubs.length}
                              onClick={() => move.mutate({ from, to })}
                            >
                              <AdminIcon name={`move-${way}`} />
                            </button>
                          )
                        })}
                        {move.variables?.from === from && <Refusal error={move.error} />}
                      </span>
                    )
                  },
                },
              ]
            : []),
        ]}
      />
      {making && <NewHub onClose={() => setMaking(false)} />}
    </>
  )
}

function NewHub({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { describeError } = useFaultTexts()
  const { locale } = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const make = useMutation({
    mutationFn: () => api.create('hubs', { attributes: { titleTranslations: { [locale]: title } } }),
    onSuccess: async ({ data }) => {
      await invalidateHubs(queryClient)
      await navigate({ to: '/admin/hubs/$id', params: { id: data.id } })
    },
  })
  return (
    <Dialog
      title={t('hubs.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: t('hubs.make'), onSubmit: () => make.mutate(), pending: make.isPending, disabled: !title.trim() }}
    >
      <TextInput name="title" label={t('hubs.name')} language={locale} value={title} onChange={setTitle} maxLength={120} required />
      {make.isError && <Notice kind="error" title={describeError(make.error)} />}
    </Dialog>
  )
}
