import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { findLinked } from '#app/lib/api-client/documents.ts'
import { getFormatter } from '#app/lib/format.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { invalidatePeople, groupsQuery } from '#app/features/accounts/people.queries.ts'
import { GroupDialog } from './GroupDialog.tsx'

/** Groups and tags, with members added by hand or matched by a rule. */
export function GroupsPage() {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const queryClient = useQueryClient()
  const groups = useSuspenseQuery(groupsQuery).data
  const [making, setMaking] = useState(false)
  const [open, setOpen] = useState<(typeof groups.data)[number]>()
  const [leaving, setLeaving] = useState<{ id: string; name: string }>()
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('groups', id),
    onSuccess: async () => {
      setLeaving(undefined)
      await invalidatePeople(queryClient)
    },
  })
  return (
    <>
      <PageHeader
        title={t('groups.title')}
        meta={<Link to="/admin/people">{admin('nav.people')}</Link>}
        actions={<Button onClick={() => setMaking(true)}>{t('groups.new')}</Button>}
      />
      <DataTable
        caption={t('groups.title')}
        rows={groups.data}
        rowKey={(group) => group.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('groups.none')}>{t('groups.none-text')}</EmptyState>}
        columns={[
          {
            id: 'name',
            head: t('table.name'),
            names: true,
            cell: (group) => (
              <Link to="/admin/people" search={{ group: group.id }}>
                {group.name}
              </Link>
            ),
          },
          { id: 'kind', head: t('groups.kind'), underName: true, cell: (group) => t(`groups.kinds.${group.kind}`) },
          { id: 'how', head: t('groups.how'), underName: true, cell: (group) => t(group.rule ? 'groups.by-rule' : 'groups.by-hand') },
          { id: 'hub', head: t('table.hub'), secondary: true, cell: (group) => findLinked(groups, group.relationships.hub)?.title ?? '–' },
          { id: 'members', head: admin('nav.people'), align: 'end', cell: (group) => format.number(group.members) },
          {
            id: 'remove',
            acts: true,
            head: <span className="visually-hidden">{t('groups.remove')}</span>,
            cell: (group) =>
              group.meta.can.update && (
                <span className="row">
                  <Button kind="plain" size="small" onClick={() => setOpen(group)}>
                    {t(group.rule ? 'groups.change-rule' : 'groups.change')}
                    <span className="visually-hidden"> {group.name}</span>
                  </Button>
                  <Button kind="plain" size="small" onClick={() => setLeaving(group)}>
                    {t('groups.remove')}
                    <span className="visually-hidden"> {group.name}</span>
                  </Button>
                </span>
              ),
          },
        ]}
      />
      {making && <GroupDialog onClose={() => setMaking(false)} />}
      {open && <GroupDialog group={open} onClose={() => setOpen(undefined)} />}
      {leaving && (
        <ConfirmDialog
          title={t('groups.remove-title', { name: leaving.name })}
          isOpen
          danger
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutateAsync(leaving.id).then(undefined, () => undefined)}
          confirmLabel={t('groups.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('groups.remove-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
