import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Language } from '#app/lib/languages.ts'
import { api } from '#app/shell/api.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { historyQuery, revisionQuery } from '../homepage.queries.ts'
import { type HomeBlock, readBlocks } from '../homepage.schema.ts'
import { compareBlocks } from '../merge-blocks.ts'
import { BlockDifferences } from './BlockDifferences.tsx'

interface HistoryDialogProps {
  hubId: string | null
  language: Language
  /** Takes an old version as the draft: a new revision, nothing is lost. */
  onRestore: (blocks: HomeBlock[], note: string) => void
  onClose: () => void
}

/** Every revision of the page: which is published, which will be; compared in pairs, brought back, taken back. */
export function HistoryDialog({ hubId, language, onRestore, onClose }: HistoryDialogProps) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const { timeZone } = useSite()
  const queryClient = useQueryClient()
  const { data: revisions } = useQuery(historyQuery(hubId))
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [now] = useState(() => new Date().toISOString())
  const published = revisions?.filter(({ publishedAt }) => publishedAt && publishedAt <= now) ?? []
  const live = published.toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? ''))[0]?.id
  const restore = useMutation({
    mutationFn: (id: string) => queryClient.fetchQuery(revisionQuery(id)),
    onSuccess: (revision) => onRestore(readBlocks(revision.content), t('history.restored', { when: format.dateTime(revision.createdAt) })),
  })
  const withdraw = useMutation({
    mutationFn: (id: string) => api.remove('homepage-publications', id),
    onSuccess: async () => {
      showToast({ text: t('publish.undone') })
      await queryClient.invalidateQueries({ queryKey: historyQuery(hubId).queryKey })
    },
  })
  return (
    <Dialog title={t('history.title')} isOpen onClose={onClose} closeLabel={t('close')} size="large">
      {revisions ? <p>{t('history.text', { zone: timeZone })}</p> : <Skeleton label={t('loading')} lines={6} />}
      {chosen.length === 2 && <Compared ids={chosen} language={language} />}
      <ol className="revisions">
        {revisions?.map(({ id, note, createdAt, publishedAt, author }) => (
          <li key={id}>
            <CheckInput
              name={`compare.${id}`}
              label={t('history.compare', { when: format.dateTime(createdAt) })}
              value={chosen.includes(id)}
              onChange={(on) => setChosen(on ? [...chosen, id].slice(-2) : chosen.filter((one) => one !== id))}
            />
            <span>
              {author && <span>{author} </span>}
              {id === live && <Badge tone="ok">{t('history.published')}</Badge>}
              {id !== live && publishedAt && publishedAt <= now && (
                <Badge>{t('history.was-published', { when: format.dateTime(publishedAt) })}</Badge>
              )}
              {publishedAt && publishedAt > now && (
                <Badge tone="info" hollow>
                  {t('history.scheduled', { when: format.dateTime(publishedAt) })}
                </Badge>
              )}
              {note && <em> {note}</em>}
            </span>
            <span className="row">
              <Button kind="secondary" size="small" type="button" onClick={() => restore.mutate(id)}>
                {t('history.restore')}
              </Button>
              {(id === live || (publishedAt && publishedAt > now)) && (
                <Button kind="plain" size="small" type="button" onClick={() => withdraw.mutate(id)}>
                  {id === live ? t('history.withdraw') : t('history.unschedule')}
                </Button>
              )}
            </span>
          </li>
        ))}
      </ol>
    </Dialog>
  )
}

function Compared({ ids, language }: { ids: readonly string[]; language: Language }) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const [one, other] = [useQuery(revisionQuery(ids[0] ?? '')).data, useQuery(revisionQuery(ids[1] ?? '')).data]
  if (!one || !other) return <Skeleton label={t('loading')} lines={3} />
  const [before, after] = one.createdAt < other.createdAt ? [one, other] : [other, one]
  return (
    <section aria-label={t('compare.title')} className="editor-group">
      <BlockDifferences
        differences={compareBlocks(readBlocks(before.content), readBlocks(after.content))}
        language={language}
        beforeLabel={format.dateTime(before.createdAt)}
        afterLabel={format.dateTime(after.createdAt)}
      />
    </section>
  )
}
