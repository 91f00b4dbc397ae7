import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_KINDS, type PageKind } from '#app/lib/vocabulary/pages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { DataTable } from '#app/ui/admin/data-table.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { RichTextInput } from '#app/ui/admin/rich-text-input.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetPages, pageListQuery } from '../pages.queries.ts'

/** The site's legal and free pages, including drafts. */
export function PagesPage() {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: common } = useTranslation()
  const pages = useSuspenseQuery(pageListQuery).data.data
  const [making, setMaking] = useState(false)
  return (
    <>
      <PageHeader
        title={admin('nav.pages')}
        meta={t('pages.text')}
        actions={<Button onClick={() => setMaking(true)}>{t('pages.new')}</Button>}
      />
      <DataTable
        caption={admin('nav.pages')}
        rows={pages}
        rowKey={(page) => page.id}
        loadingLabel={common('loading')}
        empty={<EmptyState title={t('pages.none')} />}
        columns={[
          {
            id: 'title',
            head: admin('fields.titleTranslations'),
            names: true,
            cell: (page) => (
              <Link to="/admin/pages/$id" params={{ id: page.id }}>
                {page.title}
              </Link>
            ),
          },
          { id: 'kind', head: t('pages.kind'), cell: (page) => t(`pages.kinds.${page.kind}`) },
          { id: 'slug', head: admin('fields.slug'), secondary: true, cell: (page) => `/pages/${page.slug}` },
          {
            id: 'state',
            head: admin('projects.status'),
            underName: true,
            cell: (page) =>
              page.publishedAt ? <Badge tone="ok">{admin('status.published')}</Badge> : <Badge hollow>{admin('status.draft')}</Badge>,
          },
        ]}
      />
      {making && <NewPage onClose={() => setMaking(false)} />}
    </>
  )
}

function NewPage({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { locale } = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const [kind, setKind] = useState<PageKind>('page')
  const make = useMutation({
    mutationFn: () =>
      api.create('pages', { attributes: { kind, titleTranslations: { [locale]: title }, bodyTranslations: { [locale]: body } } }),
    onSuccess: async ({ data }) => {
      await forgetPages(queryClient)
      await navigate({ to: '/admin/pages/$id', params: { id: data.id } })
    },
  })
  const { faults } = useEditorTexts(make.error)
  return (
    <Dialog
      title={t('pages.new')}
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
        <SelectInput
          name="kind"
          label={t('pages.kind')}
          value={kind}
          onChange={setKind}
          options={PAGE_KINDS.map((value) => ({ value, label: t(`pages.kinds.${value}`) }))}
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
