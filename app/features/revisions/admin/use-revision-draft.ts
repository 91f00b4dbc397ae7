import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { Draft, DraftStore, StoredVersion } from '#app/shell/admin/drafts/draft.ts'
import { useDraft } from '#app/shell/admin/drafts/use-draft.ts'
import type { DraftKind, RevisedPlace } from '../draft.schema.ts'
import { draftQuery, historyQuery, type NewestRevision } from '../revisions.queries.ts'
import { saveRevision } from './revision-writes.ts'

/** The draft of a page, the appearance, a project or an activity: each save is a revision on top of the previous one. */
export interface RevisionDraft<Content> extends Draft<Content> {
  /** Sets the note of the next saved revision. */
  remark: (text: string) => void
}

export function useRevisionDraft<Content>(
  place: RevisedPlace,
  first: StoredVersion<Content>,
  kind: DraftKind<Content>,
): RevisionDraft<Content> {
  const queryClient = useQueryClient()
  const note = useRef('')
  const draft = useDraft(() => createRevisionStore(place, kind, note, queryClient), first)
  return {
    ...draft,
    remark: (text) => {
      note.current = text
    },
  }
}

function createRevisionStore<Content>(
  place: RevisedPlace,
  kind: DraftKind<Content>,
  note: { current: string },
  queryClient: QueryClient,
): DraftStore<Content> {
  return {
    ...kind,
    name: `${place.subject}.${place.placeId ?? 'site'}`,
    save: async (content, { id: parent }) => {
      const sentNote = note.current
      const written = kind.write(content)
      const id = await saveRevision(place, { content: written, parent, note: sentNote })
      // Somebody may leave the editor and come back before it has been read again.
      if (place.subject === 'activity')
        queryClient.setQueryData(draftQuery(place).queryKey, (): NewestRevision => ({ id, content: written }))
      if (note.current === sentNote) note.current = ''
      void queryClient.invalidateQueries({ queryKey: historyQuery(place).queryKey })
      return id
    },
    loadNewest: async () => {
      const newest = await queryClient.fetchQuery(draftQuery(place))
      if (!newest) return undefined
      return { id: newest.id, content: kind.read(newest.content), savedBy: newest.author, savedAt: newest.createdAt }
    },
    debounceMs: 600,
    maxDelayMs: 900,
  }
}
