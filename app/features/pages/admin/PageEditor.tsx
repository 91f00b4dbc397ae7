import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { PAGE_KINDS } from '#app/lib/vocabulary/pages.ts'
import { api } from '#app/shell/api.ts'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { forgetPages, pageQuery } from '../pages.queries.ts'

/** The editor of one legal or free page, in each language, with its publication. */
export function PageEditor({ id, comments }: { id: string; comments: ReactNode }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: page } = useSuspenseQuery(pageQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const { fields, changed, values, change, reset } = useEditedFields({
    titleTranslations: page.titleTranslations ?? {},
    bodyTranslations: page.bodyTranslations ?? {},
    slug: page.slug,
    kind: page.kind,
    publishedAt: page.publishedAt,
  })
  const save = useMutation({
    mutationFn: ({ waived, ...sent }: typeof values & { waived?: string[] }) =>
      api.update('pages', id, { attributes: { ...sent, ...(waived ? { waived } : {}) } }, { lockVersion: page.meta.lockVersion }),
    onSuccess: (saved, { waived: _waived, ...sent }) => {
      queryClient.setQueryData(pageQuery(id).queryKey, saved)
      reset(sent)
    },
    onSettled: () => forgetPages(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('pages', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/pages' })
      await forgetPages(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <>
      <PageHeader
        title={page.title}
        status={page.publishedAt ? <Badge tone="ok">{admin('status.published')}</Badge> : <Badge hollow>{admin('status.draft')}</Badge>}
        actions={
          <>
            {comments}
            <Button kind="secondary" onClick={() => setRemoving(true)}>
              {t('pages.remove')}
            </Button>
          </>
        }
      />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={words.stale}
        onSave={() => save.mutate(values)}
        words={words.form}
        beside={page.publishedAt && <a href={`/pages/${page.slug}`}>{admin('editor.see')}</a>}
      >
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: admin('fields.titleTranslations') },
            { name: 'bodyTranslations', label: admin('fields.bodyTranslations'), hint: admin('editor.markup'), rows: 16, isRich: true },
          ]}
          values={fields}
          onChange={(name, text) => change({ [name]: text })}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <div className="admin-form">
          <CheckInput
            name="published"
            label={t('pages.published')}
            value={fields.publishedAt !== null}
            onChange={(on) => change({ publishedAt: on ? (page.publishedAt ?? new Date().toISOString()) : null })}
          />
          <SelectInput
            name="kind"
            label={t('pages.kind')}
            value={fields.kind}
            onChange={(kind) => change({ kind })}
            options={PAGE_KINDS.map((value) => ({ value, label: t(`pages.kinds.${value}`) }))}
          />
          <TextInput
            name="slug"
            label={admin('fields.slug')}
            hint={t('address-hint')}
            value={fields.slug}
            onChange={(slug) => change({ slug })}
            error={words.messageOf('slug')}
          />
        </div>
      </ContentForm>
      <LanguageGapsDialog error={save.error} onPublish={(waived) => save.mutateAsync({ ...values, waived })} onClose={save.reset} />
      {removing && (
        <ConfirmDialog
          title={t('pages.remove-title', { name: page.title })}
          isOpen
          danger
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('pages.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('pages.remove-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
