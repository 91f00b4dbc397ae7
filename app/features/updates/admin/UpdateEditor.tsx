import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listFieldPassages } from '#app/lib/plain-words/plain-passage.ts'
import { PlainPanel } from '#app/shell/admin/plain-words/PlainPanel.tsx'
import { api } from '#app/shell/api.ts'
import { LanguageGapsDialog } from '#app/shell/admin/language-gaps.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEditedFields } from '#app/ui/admin/use-edited-fields.ts'
import { Button } from '#app/ui/button.tsx'
import { forgetUpdates, updateQuery } from '../updates.queries.ts'
import { PublishUpdate } from './PublishUpdate.tsx'
import { UpdateBadge } from './UpdateBadge.tsx'

const isAhead = (at: string): boolean => new Date(at) > new Date()

/** The editor of one update, in each language. It is published, scheduled and taken back in words of its own, apart from saving. */
export function UpdateEditor({ id }: { id: string }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = useFormat()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: update } = useSuspenseQuery(updateQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const [asking, setAsking] = useState<'now' | 'later'>()
  const project = update.relationships.project?.id ?? ''
  const { fields, changed, values, change, reset } = useEditedFields({
    titleTranslations: update.titleTranslations ?? {},
    bodyTranslations: update.bodyTranslations ?? {},
  })
  const save = useMutation({
    mutationFn: ({ texts, publishedAt, waived }: { texts: typeof values; publishedAt?: string | null; waived?: string[] }) =>
      api.update(
        'project-updates',
        id,
        { attributes: { ...texts, ...(publishedAt === undefined ? {} : { publishedAt }), ...(waived ? { waived } : {}) } },
        { lockVersion: update.meta.lockVersion },
      ),
    onSuccess: async (_, { texts }) => {
      await forgetUpdates(queryClient)
      reset(texts)
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
  /** What was about to happen when the server asked about languages. */
  const [tried, setTried] = useState<{ publishedAt?: string | null }>({})
  const trySave = (publishedAt?: string | null) => {
    const next = publishedAt === undefined ? {} : { publishedAt }
    setTried(next)
    return save.mutateAsync({ texts: values, ...next })
  }
  // Followers are notified when it is published, so a published update can only be corrected or deleted.
  const isOut = update.publishedAt !== null && !isAhead(update.publishedAt)
  return (
    <>
      <PageHeader
        title={update.title}
        status={<UpdateBadge publishedAt={update.publishedAt} />}
        meta={
          <>
            <Link to="/admin/projects/$id/updates" params={{ id: project }}>
              {t('updates.title')}
            </Link>
            {update.publishedAt &&
              ` · ${t(isOut ? 'updates.out-since' : 'updates.out-from', { when: format.dateTime(update.publishedAt) })}`}
          </>
        }
        actions={
          update.meta.can.update && (
            <>
              <Button kind="secondary" onClick={() => setRemoving(true)}>
                {t('pages.remove')}
              </Button>
              {!isOut && update.publishedAt && (
                <Button kind="secondary" pending={save.isPending} onClick={() => save.mutate({ texts: values, publishedAt: null })}>
                  {t('updates.unschedule')}
                </Button>
              )}
              {!isOut && (
                <>
                  <Button kind="secondary" onClick={() => setAsking('later')}>
                    {update.publishedAt ? t('updates.reschedule') : t('updates.schedule')}
                  </Button>
                  <Button onClick={() => setAsking('now')}>{t('updates.publish-now')}</Button>
                </>
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
        onSave={() => void trySave().catch(() => undefined)}
        words={words.form}
      >
        <TranslatedTexts
          languages={site.contentLanguages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: admin('fields.titleTranslations') },
            { name: 'bodyTranslations', label: admin('fields.bodyTranslations'), hint: admin('editor.markup'), rows: 12, isRich: true },
          ]}
          values={fields}
          onChange={(name, text) => change({ [name]: text })}
          messageOf={words.messageOf}
          renderBelow={(language) => <PlainPanel passages={listFieldPassages(fields, language)} language={language} />}
          words={words.texts}
        />
      </ContentForm>
      {asking && (
        <PublishUpdate
          how={asking}
          project={project}
          scheduledFor={update.publishedAt}
          onPublish={trySave}
          onClose={() => setAsking(undefined)}
        />
      )}
      <LanguageGapsDialog
        error={save.error}
        onPublish={(waived) => save.mutateAsync({ texts: values, ...tried, waived })}
        onClose={save.reset}
      />
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
          <p>{t(isOut ? 'updates.remove-text' : 'updates.remove-unseen')}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
