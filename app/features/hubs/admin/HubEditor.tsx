import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { hasText } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { PictureInput } from '#app/ui/admin/picture-input.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { invalidateHubs, hubQuery } from '../hubs.queries.ts'
import { HubBadge } from './HubBadge.tsx'

/** Edits a department's page: texts in each language, slug and contact address. */
export function HubEditor({ id }: { id: string }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: hub } = useSuspenseQuery(hubQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const { fields, changed, values, change, reset } = useEditedFields({
    titleTranslations: hub.titleTranslations ?? {},
    summaryTranslations: hub.summaryTranslations ?? {},
    bodyTranslations: hub.bodyTranslations ?? {},
    picture: hub.picture,
    pictureAltTranslations: hub.pictureAltTranslations ?? {},
    slug: hub.slug,
    contactEmail: hub.contactEmail,
    isPublished: hub.isPublished,
  })
  const save = useMutation({
    mutationFn: (sent: typeof values) => api.update('hubs', id, { attributes: sent }, { lockVersion: hub.meta.lockVersion }),
    onSuccess: (saved, sent) => {
      queryClient.setQueryData(hubQuery(id).queryKey, saved)
      reset(sent)
    },
    onSettled: () => invalidateHubs(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('hubs', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/hubs' })
      await invalidateHubs(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <>
      <PageHeader
        title={hub.title}
        status={<HubBadge isPublished={hub.isPublished} />}
        actions={
          hub.meta.can.remove && (
            <Button kind="secondary" onClick={() => setRemoving(true)}>
              {t('hubs.remove')}
            </Button>
          )
        }
      />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={words.stale}
        onSave={() => save.mutate(values)}
        words={words.form}
        beside={hub.isPublished && <a href={`/hubs/${hub.slug}`}>{admin('editor.see')}</a>}
      >
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: t('hubs.name') },
            { name: 'summaryTranslations', label: admin('fields.summaryTranslations'), rows: 3 },
            { name: 'bodyTranslations', label: admin('fields.bodyTranslations'), hint: admin('editor.markup'), rows: 10, isRich: true },
            ...(fields.picture ? [{ name: 'pictureAltTranslations' as const, label: admin('fields.pictureAltTranslations') }] : []),
          ]}
          values={fields}
          onChange={(name, text) => change({ [name]: text })}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <div className="admin-form">
          <CheckInput
            name="isPublished"
            label={t('hubs.published')}
            hint={t('hubs.published-hint')}
            value={fields.isPublished}
            onChange={(isPublished) => change({ isPublished })}
          />
          <PictureInput
            name="picture"
            label={admin('fields.picture')}
            value={fields.picture}
            error={words.messageOf('picture')}
            onChange={(picture) =>
              change({
                picture: picture?.address ?? null,
                // Keep alternative text written for this page; if there is none, use the library's.
                ...(picture && !hasText(fields.pictureAltTranslations) ? { pictureAltTranslations: picture.alt } : {}),
              })
            }
          />
          <TextInput
            name="contactEmail"
            type="email"
            label={t('hubs.contact')}
            value={fields.contactEmail ?? ''}
            onChange={(contactEmail) => change({ contactEmail: contactEmail || null })}
            error={words.messageOf('contactEmail')}
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
      {removing && (
        <ConfirmDialog
          title={t('hubs.remove-title', { name: hub.title })}
          isOpen
          danger
          onClose={() => {
            setRemoving(false)
            remove.reset()
          }}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('hubs.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('hubs.remove-text')}</p>
          {remove.isError && <Notice kind="error" title={errors('codes.conflict')} />}
        </ConfirmDialog>
      )}
    </>
  )
}
