import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isHalfMoment } from '#app/lib/half-moment.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { forgetUpdates, updateQuery } from '../updates.queries.ts'
import { UpdateBadge } from './UpdateBadge.tsx'

const isAhead = (at: string): boolean => new Date(at) > new Date()

/** The editor of one update, in each language, with publication now or later. */
export function UpdateEditor({ id }: { id: string }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const { words: moment } = useMomentTexts()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: update } = useSuspenseQuery(updateQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const [asking, setAsking] = useState(false)
  const project = update.relationships.project?.id ?? ''
  const { fields, changed, values, change, reset } = useEditedFields({
    titleTranslations: update.titleTranslations ?? {},
    bodyTranslations: update.bodyTranslations ?? {},
    publishedAt: update.publishedAt,
  })
  const save = useMutation({
    mutationFn: (sent: typeof values) => api.update('project-updates', id, { attributes: sent }, { lockVersion: update.meta.lockVersion }),
    onSuccess: async (_, sent) => {
      await forgetUpdates(queryClient)
      reset(sent)
    },
    onError: () => forgetUpdates(queryClient),
  })
  const remove = useMutation({
    mutationFn: () => api.remove('project-updates', id),
    onSuccess: async () => {
      await navigate({ to: '/admin/projects/$id/updates', params: { id: project } })
      await forgetUpdates(queryClient)
    },
  })
  const words = useEditorTexts(save.error)
  const { publishedAt } = fields
  // Followers are notified once it is published, so the publication date needs confirmation. A published update can only be corrected.
  const isOut = update.publishedAt !== null && !isAhead(update.publishedAt)
  const publishes = !isOut && changed.includes('publishedAt') && Boolean(publishedAt) && !isHalfMoment(publishedAt)
  const when = publishes && publishedAt && isAhead(publishedAt) ? format.dateTime(publishedAt) : undefined
  const saveLabel = when ? t('updates.save-at', { when }) : t('updates.save-now')
  return (
    <>
      <PageHeader
        title={update.title}
        status={<UpdateBadge publishedAt={update.publishedAt} />}
        meta={
          <Link to="/admin/projects/$id/updates" params={{ id: project }}>
            {t('updates.title')}
          </Link>
        }
        actions={
          update.meta.can.update && (
            <>
              <Button kind="secondary" onClick={() => setRemoving(true)}>
                {t('pages.remove')}
              </Button>
              {!fields.publishedAt && (
                <Button kind="secondary" onClick={() => change({ publishedAt: new Date().toISOString() })}>
                  {t('updates.publish')}
                </Button>
              )}
            </>
          )
        }
      />
      <ContentForm
        unsaved={changed.length}
        saving={save.isPending}
        faults={words.faults}
        stale={words.stale}
        onSave={() => (publishes ? setAsking(true) : save.mutate(values))}
        words={publishes ? { ...words.form, save: saveLabel } : words.form}
      >
        <TranslatedTexts
          languages={site.languages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: admin('fields.titleTranslations') },
            { name: 'bodyTranslations', label: admin('fields.bodyTranslations'), hint: admin('editor.markup'), rows: 12, isRich: true },
          ]}
          values={fields}
          onChange={(name, text) => change({ [name]: text })}
          messageOf={words.messageOf}
          words={words.texts}
        />
        <div className="admin-form">
          <DateTimeField
            name="publishedAt"
            label={t('updates.published')}
            hint={t('updates.published-hint')}
            value={fields.publishedAt ?? undefined}
            onChange={(at) => change({ publishedAt: at ?? null })}
            error={words.messageOf('publishedAt')}
            {...moment}
          />
        </div>
      </ContentForm>
      {asking && (
        <ConfirmDialog
          title={when ? t('updates.confirm-at', { when }) : t('updates.confirm-now')}
          isOpen
          onClose={() => setAsking(false)}
          onConfirm={() =>
            save.mutateAsync(values).then(
              () => setAsking(false),
              () => setAsking(false),
            )
          }
          confirmLabel={saveLabel}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('updates.confirm-text')}</p>
        </ConfirmDialog>
      )}
      {removing && (
        <ConfirmDialog
          title={t('pages.remove-title', { name: update.title })}
          isOpen
          danger
          onClose={() => setRemoving(false)}
          onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
          confirmLabel={t('pages.remove')}
          cancelLabel={admin('confirm.cancel')}
        >
          <p>{t('updates.remove-text')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
