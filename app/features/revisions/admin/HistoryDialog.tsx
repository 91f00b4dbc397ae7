import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { nameTimeZone } from '#app/lib/time-zones.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { CheckInput } from '#app/ui/admin/inputs.tsx'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { Skeleton } from '#app/ui/loading.tsx'
import { canBeWithdrawn, type DraftKind, type EditedPlace, type WithdrawnPlace } from '../draft.schema.ts'
import { groupBySitting } from '../group-sittings.ts'
import { forgetPublication, historyQuery, type ListedRevision, revisionQuery } from '../revisions.queries.ts'
import type { Compare } from './ConflictNotice.tsx'
import { withdrawRevision } from './revision-writes.ts'

interface HistoryDialogProps<Content> {
  place: EditedPlace
  read: DraftKind<Content>['read']
  compare: Compare<Content>
  /**
   * Publishes an old version. Undefined where only the current draft can be published: in surveys, and in projects that have never been
   * published.
   */
  onPublish: ((revision: { id: string; content: Content; isNowOnly: boolean }) => void) | undefined
  /** Makes an old version the draft, as a new revision: nothing is lost. */
  onRestore: (content: Content, note: string) => void
  onClose: () => void
}

/** All versions, with the published and scheduled ones marked: compare, publish, restore, unpublish. */
export function HistoryDialog<Content>({ place, read, compare, onPublish, onRestore, onClose }: HistoryDialogProps<Content>) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const { timeZone } = useSite()
  const queryClient = useQueryClient()
  const history = useInfiniteQuery(historyQuery(place))
  const revisions = history.data?.pages.flat()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const [now] = useState(() => new Date().toISOString())
  const published = revisions?.filter(({ publishedAt }) => publishedAt && publishedAt <= now) ?? []
  const latest = published.toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? ''))[0]?.id
  const live = onPublish || place.subject === 'survey' ? latest : undefined
  const revised = isWithdrawn(place) ? place : undefined
  const fetchRevision = (id: string) => queryClient.fetchQuery(revisionQuery(place, id))
  const restore = useMutation({
    mutationFn: fetchRevision,
    onSuccess: ({ content, createdAt }) => onRestore(read(content), t('history.restored', { when: format.dateTime(createdAt) })),
  })
  const publish = useMutation({
    mutationFn: fetchRevision,
    onSuccess: ({ id, content }) =>
      onPublish?.({ id, content: read(content), isNowOnly: published.some((revision) => revision.id === id) }),
  })
  const withdraw = useMutation({
    mutationFn: ({ id, from }: { id: string; from: WithdrawnPlace }) => withdrawRevision(from, id),
    onSuccess: async (_, { id, from }) => {
      showToast({ text: id === live ? t('publish.undone') : t('publish.unscheduled') })
      await forgetPublication(queryClient, from)
    },
  })
  const listVersion = (version: ListedRevision) => (
    <Version
      version={version}
      isLive={version.id === live}
      isAhead={Boolean(version.publishedAt && version.publishedAt > now)}
      isChosen={chosen.includes(version.id)}
      onChoose={(on) => setChosen(on ? [...chosen, version.id].slice(-2) : chosen.filter((one) => one !== version.id))}
      onPublish={onPublish && (() => publish.mutate(version.id))}
      onRestore={() => restore.mutate(version.id)}
      onWithdraw={revised && (() => withdraw.mutate({ id: version.id, from: revised }))}
    />
  )
  return (
    <Dialog title={t(`history.title.${place.subject}`)} isOpen onClose={onClose} closeLabel={t('close')} size="large">
      {revisions ? <p>{t('history.text', { zone: nameTimeZone(timeZone) })}</p> : <Skeleton label={t('loading')} lines={6} />}
      {place.subject === 'survey' && <p>{t('history.survey')}</p>}
      {chosen.length === 2 && <ComparedRevisions key={chosen.join(' ')} place={place} ids={chosen} read={read} compare={compare} />}
      <ol className="revisions">
        {revisions &&
          groupBySitting(revisions).map(([last, ...earlier]) => (
            <li key={last.id}>
              {listVersion(last)}
              {earlier.length > 0 && (
                <details className="revision-sitting">
                  <summary>{t('history.sitting', { count: earlier.length })}</summary>
                  <ol className="revisions">
                    {earlier.map((version) => (
                      <li key={version.id}>{listVersion(version)}</li>
                    ))}
                  </ol>
                </details>
              )}
            </li>
          ))}
      </ol>
      {history.hasNextPage && (
        <Button
          kind="secondary"
          size="small"
          type="button"
          pending={history.isFetchingNextPage}
          onClick={() => void history.fetchNextPage()}
        >
          {t('history.earlier')}
        </Button>
      )}
    </Dialog>
  )
}

const isWithdrawn = (place: EditedPlace): place is WithdrawnPlace =>
  place.subject !== 'survey' && canBeWithdrawn({ ...place, subject: place.subject })

interface VersionProps {
  version: ListedRevision
  /** True if it is what everybody sees. */
  isLive: boolean
  /** True if it is published later. */
  isAhead: boolean
  isChosen: boolean
  onChoose: (on: boolean) => void
  onPublish: (() => void) | undefined
  onRestore: () => void
  /** Undefined if it can only be replaced. */
  onWithdraw: (() => void) | undefined
}

function Version({ version, isLive, isAhead, isChosen, onChoose, onPublish, onRestore, onWithdraw }: VersionProps) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const { id, note, createdAt, publishedAt, author, version: number } = version
  return (
    <div className="revision">
      <CheckInput
        name={`compare.${id}`}
        label={t('history.compare', { when: format.dateTime(createdAt) })}
        value={isChosen}
        onChange={onChoose}
      />
      <p className="revision-facts">
        {author && <span>{author}</span>}
        {number && <span>{t('history.version', { number })}</span>}
        {isLive && <Badge tone="ok">{t('history.published')}</Badge>}
        {!isLive && publishedAt && !isAhead && <Badge>{t('history.was-published', { when: format.dateTime(publishedAt) })}</Badge>}
        {publishedAt && isAhead && (
          <Badge tone="info" hollow>
            {t('history.scheduled', { when: format.dateTime(publishedAt) })}
          </Badge>
        )}
        {note && <em>{note}</em>}
      </p>
      <span className="row">
        {onPublish && !isLive && (
          <Button kind="secondary" size="small" type="button" onClick={onPublish}>
            {isAhead ? t('history.reschedule') : t('publish.open')}
          </Button>
        )}
        <Button kind="secondary" size="small" type="button" onClick={onRestore}>
          {t('history.restore')}
        </Button>
        {onWithdraw && (isLive || isAhead) && (
          <Button kind="plain" size="small" type="button" onClick={onWithdraw}>
            {isLive ? t('history.withdraw') : t('history.unschedule')}
          </Button>
        )}
      </span>
    </div>
  )
}

type ComparedProps<Content> = Pick<HistoryDialogProps<Content>, 'place' | 'read' | 'compare'> & { ids: readonly string[] }

function ComparedRevisions<Content>({ place, ids, read, compare }: ComparedProps<Content>) {
  const { t } = useTranslation('editor')
  const format = useFormat()
  const [one, other] = [useQuery(revisionQuery(place, ids[0] ?? '')).data, useQuery(revisionQuery(place, ids[1] ?? '')).data]
  const isLoaded = Boolean(one && other)
  const section = useRef<HTMLElement>(null)
  // The versions are chosen further down the list.
  useEffect(() => {
    if (isLoaded) section.current?.scrollIntoView({ block: 'nearest' })
  }, [isLoaded])
  if (!one || !other) return <Skeleton label={t('loading')} lines={3} />
  const [before, after] = one.createdAt < other.createdAt ? [one, other] : [other, one]
  return (
    <section aria-label={t('compare.title')} className="editor-group" ref={section}>
      {compare(read(before.content), read(after.content), {
        // Both may be of the same minute.
        before: t('compare.earlier', { when: format.dateTime(before.createdAt) }),
        after: t('compare.later', { when: format.dateTime(after.createdAt) }),
      })}
    </section>
  )
}
