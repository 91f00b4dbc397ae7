import { useDeferredValue, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import type { Draft, DraftKind, MissingText, RevisedPlace } from '../draft.schema.ts'
import type { Compare } from './ConflictNotice.tsx'
import { HistoryDialog } from './HistoryDialog.tsx'
import { PublishDialog } from './PublishDialog.tsx'
import { ShareButton } from './ShareButton.tsx'

interface RevisionToolsProps<Content> {
  place: RevisedPlace
  draft: Draft<Content>
  kind: DraftKind<Content>
  compare: Compare<Content>
  missingOf: (content: Content) => readonly MissingText[]
  /** Why this content can never be published as it is, if so. */
  blockedBy?: (content: Content) => string | undefined
  isEmpty?: boolean
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
  onShow,
}: RevisionToolsProps<Content>) {
  const { t } = useTranslation('editor')
  const [isHistory, setHistory] = useState(false)
  const [publishing, setPublishing] = useState<{ id?: string; content: Content; isNowOnly: boolean }>()
  // Deferred, so that the preview shows a change before this is recomputed.
  const blocked = blockedBy(useDeferredValue(draft.content))
  return (
    <footer className="editor-foot">
      <Button
        type="button"
        onClick={() => setPublishing({ content: draft.content, isNowOnly: false })}
        disabled={Boolean(draft.conflict) || isEmpty || blocked !== undefined}
      >
        {t('publish.open')}
      </Button>
      <Button kind="secondary" type="button" onClick={() => setHistory(true)}>
        {t('history.open')}
      </Button>
      <ShareButton place={place} />
      {blocked && <p>{blocked}</p>}
      {isHistory && (
        <HistoryDialog
          place={place}
          read={kind.read}
          compare={compare}
          onPublish={(revision) => {
            setHistory(false)
            setPublishing(revision)
          }}
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
          missing={missingOf(publishing.content)}
          blocked={blockedBy(publishing.content)}
          onShow={publishing.id === undefined ? onShow : undefined}
          onClose={() => setPublishing(undefined)}
        />
      )}
    </footer>
  )
}
