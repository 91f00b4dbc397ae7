import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'
import { api } from '#app/shell/api.ts'
import { TableFoot } from '#app/shell/table-foot.tsx'
import { useFaultTexts } from '#app/shell/use-fault-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetMembers, MEMBERS_PER_PAGE, membersQuery } from '../members.queries.ts'
import { AddMember } from './AddMember.tsx'

const GROUPS = groupSource()

interface ProjectMembersProps {
  project: string
  /** Only members can see the project. */
  needed: boolean
}

/** A project's members. Each change takes effect at once, independently of saving the editor. */
export function ProjectMembers({ project, needed }: ProjectMembersProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { describeError } = useFaultTexts()
  const format = useFormat()
  const queryClient = useQueryClient()
  const [q, setQ] = useState('')
  const [page, setPage] = useState(1)
  const [adding, setAdding] = useState(false)
  const [leaving, setLeaving] = useState<{ id: string; name: string }>()
  const members = useQuery(membersQuery(project, useDeferredValue(q), page))
  const hasGroups = (useFirstRecord(GROUPS).total ?? 0) > 0
  const total = members.data?.meta.total ?? 0
  const showFailure = (error: unknown) =>
    showToast({
      kind: 'error',
      text: describeError(error),
    })
  const admit = useMutation({
    mutationFn: (group: string) =>
      api.create('project-admissions', {
        relationships: { project: { type: 'projects', id: project }, group: { type: 'groups', id: group } },
      }),
    onSuccess: async ({ data: { admitted, already } }) => {
      showToast({ text: t('members.admitted', { count: admitted, number: format.number(admitted), already: format.number(already) }) })
      await forgetMembers(queryClient)
    },
    onError: showFailure,
  })
  const remove = useMutation({
    mutationFn: (id: string) => api.remove('project-members', id),
    onSuccess: async () => {
      setLeaving(undefined)
      showToast({ text: t('members.removed') })
      await forgetMembers(queryClient)
    },
    onError: showFailure,
  })
  return (
    <div className="admin-stack">
      <p>{t('members.about')}</p>
      {!needed && <Notice kind="info" title={t('members.not-needed')} />}
      <div className="row">
        <Button onClick={() => setAdding(true)}>{t('members.add')}</Button>
        {hasGroups && (
          <RecordChoice
            name="add-group"
            label={t('members.add-group')}
            source={GROUPS}
            value={null}
            onChange={(id) => id !== null && admit.mutate(id)}
          />
        )}
      </div>
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- Enter searches instead of saving the surrounding project */}
      <div className="admin-form" onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}>
        <TextInput
          name="find-member"
          type="search"
          label={t('table.search')}
          value={q}
          onChange={(text) => {
            setQ(text)
            setPage(1)
          }}
        />
      </div>
      <DataTable
        caption={t('members.title')}
        rows={members.data?.data ?? []}
        rowKey={({ id }) => id}
        state={members.isError ? 'error' : members.isPending || members.isPlaceholderData ? 'loading' : 'ready'}
        loadingLabel={common('loading')}
        empty={q ? <EmptyState title={t('table.none')} /> : <EmptyState title={t('members.none')}>{t('members.none-text')}</EmptyState>}
        error={<Notice kind="error" title={admin('load-failed')} />}
        columns={[
          { id: 'email', head: t('table.email'), names: true, cell: ({ email }) => email },
          {
            id: 'name',
            head: t('table.name'),
            underName: true,
            cell: ({ name, relationships: { user } }) =>
              name === null ? (
                t('members.invited')
              ) : user ? (
                <Link to="/admin/people/$id" params={{ id: user.id }}>
                  {name}
                </Link>
              ) : (
                name
              ),
          },
          { id: 'since', head: t('members.since'), secondary: true, cell: ({ createdAt }) => format.shortDate(createdAt) },
          {
            id: 'remove',
            acts: true,
            head: <span className="visually-hidden">{t('members.remove')}</span>,
            cell: ({ id, email, name }) => (
              <Button kind="plain" size="small" onClick={() => setLeaving({ id, name: name ?? email })}>
                {t('members.remove')}
                <span className="visually-hidden"> {email}</span>
              </Button>
            ),
          },
        ]}
        foot={
          <TableFoot
            total={total}
            page={page}
            size={MEMBERS_PER_PAGE}
            link={(number, children, attributes) => (
              <button type="button" className="link-button" aria-label={attributes['aria-label']} onClick={() => setPage(number)}>
                {children}
              </button>
            )}
          />
        }
      />
      {adding && <AddMember project={project} onClose={() => setAdding(false)} />}
      {leaving && (
        <ConfirmDialog
          title={t('members.remove-title', { name: leaving.name })}
          isOpen
          danger
          onClose={() => setLeaving(undefined)}
          onConfirm={() => remove.mutateAsync(leaving.id).then(undefined, () => undefined)}
          confirmLabel={t('members.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('members.remove-text')}</p>
        </ConfirmDialog>
      )}
    </div>
  )
}
