import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { RichTextInput } from '#app/ui/admin/rich-text-input.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetUpdates, updateListQuery } from '../updates.queries.ts'
import { UpdateBadge } from './UpdateBadge.tsx'

/** A project's updates: published, scheduled and drafts. */
export function UpdatesPage({ project, mayWrite }: { project: { id: string; title: string }; mayWrite: boolean }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const site = useSite()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const updates = useSuspenseQuery(updateListQuery(project.id)).data.data
  const [making, setMaking] = useState(false)
  return (
    <>
      <PageHeader
        title={t('updates.title')}
        meta={
          <Link to="/admin/projects/$id" params={{ id: project.id }}>
            {project.title}
          </Link>
        }
        actions={mayWrite && <Button onClick={() => setMaking(true)}>{t('updates.new')}</Button>}
      />
      {!mayWrite && (
        <Notice kind="info" title={admin('read-only.title')}>
          {admin('read-only.updates')}
        </Notice>
      )}
      <DataTable
        caption={t('updates.title')}
        rows={updates}
        rowKey={(update) => update.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('updates.none')}>{mayWrite && t('updates.none-text')}</EmptyState>}
        columns={[
          {
            id: 'title',
            head: admin('fields.titleTranslations'),
            names: true,
            cell: (update) =>
              mayWrite ? (
                <Link to="/admin/updates/$id" params={{ id: update.id }}>
                  {update.title}
                </Link>
              ) : (
                update.title
              ),
          },
          {
            id: 'state',
            head: admin('projects.status'),
            underName: true,
            cell: (update) => <UpdateBadge publishedAt={update.publishedAt} />,
          },
          {
            id: 'publishedAt',
            head: t('updates.published'),
            secondary: true,
            cell: (update) => (update.publishedAt ? format.dateTime(update.publishedAt) : '–'),
          },
        ]}
      />
      {making && <NewUpdate project={project.id} onClose={() => setMaking(false)} />}
    </>
  )
}

function NewUpdate({ project, onClose }: { project: string; onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { locale } = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const make = useMutation({
    mutationFn: () =>
      api.create('project-updates', {
        attributes: { titleTranslations: { [locale]: title }, bodyTranslations: { [locale]: body } },
        relationships: { project: { type: 'projects', id: project } },
      }),
    onSuccess: async ({ data }) => {
      await forgetUpdates(queryClient)
      await navigate({ to: '/admin/updates/$id', params: { id: data.id } })
    },
  })
  const { faults } = useEditorTexts(make.error)
  return (
    <Dialog
      title={t('updates.new')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{
        label: admin('projects.create'),
        onSubmit: () => make.mutate(),
        pending: make.isPending,
        disabled: !title.trim() || !body.trim(),
      }}
    >
      <div className="admin-form">
        <TextInput
          name="title"
          label={admin('fields.titleTranslations')}
          language={locale}
          value={title}
          onChange={setTitle}
          maxLength={200}
          required
        />
        <RichTextInput
          name="body"
          label={admin('fields.bodyTranslations')}
          hint={admin('editor.markup')}
          language={locale}
          value={body}
          onChange={setBody}
          rows={8}
          required
        />
        {faults[0] && <Notice kind="error" title={faults[0].message} />}
      </div>
    </Dialog>
  )
}
