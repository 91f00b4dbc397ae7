import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { Translated } from '#app/lib/translated.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useEditorTexts } from '#app/shell/use-editor-texts.ts'
import { FaultSummary } from '#app/ui/admin/fault-summary.tsx'
import { ConfirmDialog, Dialog } from '#app/ui/admin/dialog.tsx'
import { TextInput } from '#app/ui/admin/inputs.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { forgetOwnSite, topicListQuery } from '../site-settings.queries.ts'

interface Topic {
  id: string
  title: string
  titleTranslations?: Translated | undefined
}

/** The topics that projects can have. */
export function SiteTopics() {
  const { t } = useTranslation('platform')
  const topics: readonly Topic[] = useSuspenseQuery(topicListQuery).data.data
  const [edited, setEdited] = useState<Topic | 'new'>()
  const [removed, setRemoved] = useState<Topic>()
  return (
    <section className="admin-panel" aria-labelledby="site-topics">
      <h2 id="site-topics">{t('topics.title')}</h2>
      <p>{topics.length === 0 ? t('topics.none') : t('topics.text')}</p>
      <ul className="admin-list">
        {topics.map((topic) => (
          <li key={topic.id} className="row">
            <span>{topic.title}</span>
            <span className="row-end">
              <Button
                kind="plain"
                size="small"
                aria-label={t('topics.rename-one', { title: topic.title })}
                onClick={() => setEdited(topic)}
              >
                {t('topics.rename')}
              </Button>
              <Button
                kind="plain"
                size="small"
                aria-label={t('topics.remove-one', { title: topic.title })}
                onClick={() => setRemoved(topic)}
              >
                {t('topics.remove')}
              </Button>
            </span>
          </li>
        ))}
      </ul>
      <div>
        <Button kind="secondary" onClick={() => setEdited('new')}>
          {t('topics.add')}
        </Button>
      </div>
      {edited && <TopicDialog topic={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />}
      {removed && <RemoveTopic topic={removed} onClose={() => setRemoved(undefined)} />}
    </section>
  )
}

/** A topic's title in each language of the site. */
function TopicDialog({ topic, onClose }: { topic: Topic | undefined; onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const { contentLanguages: languages, locale } = useSite()
  const queryClient = useQueryClient()
  const [titles, setTitles] = useState<Translated>(topic?.titleTranslations ?? {})
  const save = useMutation({
    mutationFn: async () => {
      const attributes = { titleTranslations: titles }
      if (topic) await api.update('topics', topic.id, { attributes })
      else await api.create('topics', { attributes })
    },
    onSuccess: async () => {
      await forgetOwnSite(queryClient)
      onClose()
    },
  })
  const words = useEditorTexts(save.error)
  return (
    <Dialog
      title={topic ? t('topics.rename-one', { title: topic.title }) : t('topics.add')}
      isOpen
      onClose={onClose}
      closeLabel={admin('nav.close-dialog')}
      submit={{ label: words.form.save, onSubmit: () => save.mutate(), pending: save.isPending }}
    >
      <div className="admin-form">
        <FaultSummary title={words.form.problem} errors={words.faults} />
        {languages.map((code) => (
          <TextInput
            key={code}
            name={`titleTranslations.${code}`}
            language={code}
            label={t('topics.title-in', { language: getLanguageName(code) })}
            value={titles[code] ?? ''}
            onChange={(title) => setTitles((now) => ({ ...now, [code]: title }))}
            error={words.messageOf(`titleTranslations.${code}`) ?? (code === locale ? words.messageOf('titleTranslations') : undefined)}
            required={code === locale}
          />
        ))}
      </div>
    </Dialog>
  )
}

function RemoveTopic({ topic, onClose }: { topic: Topic; onClose: () => void }) {
  const { t } = useTranslation('platform')
  const { t: admin } = useTranslation('admin')
  const queryClient = useQueryClient()
  const remove = useMutation({
    mutationFn: () => api.remove('topics', topic.id),
    onSuccess: async () => {
      await forgetOwnSite(queryClient)
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('topics.remove-title', { title: topic.title })}
      isOpen
      danger
      onClose={onClose}
      onConfirm={() => remove.mutateAsync().then(undefined, () => undefined)}
      confirmLabel={t('topics.remove')}
      cancelLabel={admin('confirm.cancel')}
    >
      <p>{t('topics.remove-text')}</p>
      {remove.isError && <Notice kind="error" title={t('topics.used')} />}
    </ConfirmDialog>
  )
}
