import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import { showToast } from '#app/ui/admin/toast.tsx'
import { Button } from '#app/ui/button.tsx'
import { canBeWithdrawn, type DraftKind, isLinkedPlace, type MissingText, type RevisedPlace } from '../draft.schema.ts'
import type { Compare } from './ConflictNotice.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { ShareButton } from './ShareButton.tsx'
import type { RevisionDraft } from './use-revision-draft.ts'

interface RevisionToolsProps<Content> {
  place: RevisedPlace
  draft: RevisionDraft<Content>
  kind: DraftKind<Content>
  compare: Compare<Content>
  missingOf: (content: Content) => readonly MissingText[]
  /** Why this content can never be published as it is, if so. */
  blockedBy?: (content: Content) => string | undefined
  isEmpty?: boolean
  /**
   * Of a project or activity: what is published now, which changes can be discarded for; null as long as nobody may see it, or if the viewer
   * may not publish it. Undefined for pages, which have nothing published besides their versions.
   */
  live?: { content: Content; mustAsk: boolean } | null | undefined
  /** Of a report: a colleague has to agree before it is published. */
  asks?: boolean
  /** Shows where a missing text has to be written. */
  onShow?: (at: string) => void
}

/** Tools for a place's versions: publish the draft or an older one, now or later; compare; restore. */
export function RevisionTools<Content>({
  place,
  draft,
  kind,
  compare,
  missingOf,
  blockedBy = () => undefined,
  isEmpty = false,
  live,
  asks = false,
  onShow,
}: RevisionToolsProps<Content>) {
  const { t } = useTranslation('editor')
  const [isHistory, setHistory] = useState(false)
  const [publishing, setPublishing] = useState<{ id?: string; content: Content; isNowOnly: boolean }>()
  // Deferred, so that the preview shows a change before this is recomputed.
  const content = useDeferredValue(draft.content)
  const blocked = blockedBy(content)
  const isPublished = live ? isJsonEqual(kind.write(live.content), kind.write(content)) : false
  const mustAsk = live?.mustAsk ?? asks
  const isNowOnly = live !== undefined || !canBeWithdrawn(place)
  const isDisabled = Boolean(draft.conflict) || isEmpty || isPublished
  const discardChanges = (published: Content) => {
    draft.remark(t('discard.note'))
    draft.change(published)
    showToast({ text: t('discard.done'), action: { label: t('undo'), onAction: draft.undo } })
  }
  return (
    <footer className="editor-foot">
      {live !== null && (
        <Button
          type="button"
          onClick={() => setPublishing({ content: draft.content, isNowOnly })}
          disabled={isDisabled || blocked !== undefined}
        >
          {t(mustAsk ? 'publish.ask-open' : live ? 'publish.changes-open' : 'publish.open')}
        </Button>
      )}
      {live && (
        <Button kind="secondary" type="button" disabled={isDisabled} onClick={() => discardChanges(live.content)}>
          {t('discard.open')}
        </Button>
      )}
      <Button kind="secondary" type="button" onClick={() => setHistory(true)}>
        {t('history.open')}
      </Button>
      {isLinkedPlace(place) && <ShareButton place={place} />}
      {blocked && <p>{blocked}</p>}
      {isHistory && (
        <HistoryDialog
          place={place}
          read={kind.read}
          compare={compare}
          onPublish={
            live === null || mustAsk
              ? undefined
              : (revision) => {
                  setHistory(false)
                  setPublishing({ ...revision, isNowOnly: revision.isNowOnly || isNowOnly })
                }
          }
          onRestore={(content, note) => {
            setHistory(false)
            draft.remark(note)
            draft.change(content)
          }}
          onClose={() => setHistory(false)}
        />
      )}
      {publishing && (
        <PublishDialog
          place={place}
          save={publishing.id === undefined ? draft.save : () => Promise.resolve(publishing.id)}
          isNowOnly={publishing.isNowOnly}
          mustAsk={mustAsk}
          missing={missingOf(publishing.content)}
          blocked={blockedBy(publishing.content)}
          onShow={publishing.id === undefined ? onShow : undefined}
          onClose={() => setPublishing(undefined)}
        />
      )}
    </footer>
  )
}
