import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { formatter } from '#app/lib/format.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useContentWords } from '#app/shell/use-content-words.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { ContentForm } from '#app/ui/admin/content-form.tsx'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { ConfirmDialog } from '#app/ui/admin/dialog.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { TranslatedTexts } from '#app/ui/admin/translated-texts.tsx'
import { useEdited } from '#app/ui/admin/use-edited.ts'
import { Button } from '#app/ui/button.tsx'
import { forgetUpdates, updateQuery } from '../updates.queries.ts'
import { UpdateBadge } from './UpdateBadge.tsx'

/** One update in each language, published now or at a time. */
export function UpdateEditor({ id }: { id: string }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const site = useSite()
  const format = formatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { data: update } = useSuspenseQuery(updateQuery(id)).data
  const [removing, setRemoving] = useState(false)
  const project = update.relationships.project?.id ?? ''
  const { fields, changed, values, change, reset } = useEdited({
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
  const words = useContentWords(save.error)
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
        onSave={() => save.mutate(values)}
        words={words.form}
      >
        <TranslatedTexts
          languages={site.languages}
          source={site.locale}
          fields={[
            { name: 'titleTranslations', label: admin('fields.titleTranslations') },
            { name: 'bodyTranslations', label: admin('fields.bodyTranslations'), hint: admin('editor.markup'), rows: 12 },
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
            zone={site.timeZone}
            dateLabel={admin('moment.date')}
            timeLabel={admin('moment.time')}
            describe={(at) => admin('moment.full', { day: format.weekday(at), time: format.time(at), zone: site.timeZone })}
            clearLabel={admin('moment.clear')}
          />
        </div>
      </ContentForm>
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
