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
  /** Why this can never be published as it is, if it cannot. */
  blockedBy?: (content: Content) => string | undefined
  isEmpty?: boolean
  /** Leads to where something is written. */
  onShow?: (at: string) => void
}

/** What is done with the versions of a place: the draft or an older one published, now or at a time; compared; brought back. */
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
  // The preview shows a change first; whether it may be published is worked out after that.
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
