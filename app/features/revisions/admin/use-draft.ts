import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { Draft, DraftKind, RevisedPlace } from '../draft.schema.ts'
import { historyQuery } from '../revisions.queries.ts'
import { findUnsaved, clearUnsaved, storeUnsaved, type UnsavedDraft, appendSent } from './unsaved-drafts.ts'
import { saveRevision } from './revision-writes.ts'
import { useHistory } from './use-history.ts'

const SAVE_DEBOUNCE_MS = 600
/** Upper bound for the delay while somebody types without a pause. */
const MAX_SAVE_DELAY_MS = 900
const RETRY_DELAY_MS = 4000

interface DraftBase<Content> {
  id: string | null
  content: Content
}

/**
 * An editor's draft. It is saved as a revision on top of the previous one at each pause and at least every second. If somebody else saved
 * in between, nothing is saved until the conflict is resolved. Local changes are never lost: unsaved ones are restored the next time.
 */
export function useDraft<Content>(place: RevisedPlace, first: DraftBase<Content>, kind: DraftKind<Content>): Draft<Content> {
  const queryClient = useQueryClient()
  const { subject, placeId } = place
  const [rescued] = useState(() => findRescuedDraft(place, first, kind))
  const history = useHistory<Content>(first.content, rescued?.content)
  const content = history.now
  const [base, setBase] = useState<DraftBase<Content>>(rescued ? { id: rescued.parent, content: first.content } : first)
  const [conflict, setConflict] = useState<{ id: string; content: Content }>()
  const [problem, setProblem] = useState<AppError | 'offline'>()
  const [isSaving, setSaving] = useState(false)
  const note = useRef('')
  const changedAt = useRef<number>(undefined)
  const refused = useRef<Content>(undefined)
  const sent = useRef(rescued?.sent ?? [])
  const failedAt = useRef(0)
  const isChanged = content !== base.content
  const copy = useCallback(() => ({ parent: base.id, content: kind.write(content), sent: sent.current }), [base, content, kind])
  const storeCopy = useDeviceCopy(place, copy, {
    isStored: rescued !== undefined,
    isNeeded: isChanged && (isSaving || problem !== undefined || conflict !== undefined),
    isSaved: !isChanged && !isSaving,
  })

  const save = useCallback(async (): Promise<string | undefined> => {
    if (content === base.content && base.id) return base.id
    const at: RevisedPlace = { subject, placeId }
    const stored = kind.write(content)
    setSaving(true)
    changedAt.current = undefined
    const putRevision = (parent: string | null) => saveRevision(at, { content: stored, parent, note: note.current })
    const before = sent.current
    sent.current = appendSent(before, stored)
    storeCopy()
    try {
      const id = await putRevision(base.id).catch((error: unknown) => {
        const current = findCurrentVersion(error)
        // A version that was stored while its response got lost is our own, not somebody else's.
        if (!current || !before.some((one) => isSameContent(kind, one, current.content))) throw error
        return isSameContent(kind, stored, current.content) ? current.id : putRevision(current.id)
      })
      note.current = ''
      sent.current = []
      setBase({ id, content })
      setProblem(undefined)
      void queryClient.invalidateQueries({ queryKey: historyQuery(at).queryKey })
      return id
    } catch (error) {
      const current = findCurrentVersion(error)
      if (current) setConflict({ id: current.id, content: kind.read(current.content) })
      else {
        failedAt.current = Date.now()
        setProblem(isAppError(error) ? error : 'offline')
        if (isAppError(error) && error.status < 500) refused.current = content
      }
      return undefined
    } finally {
      setSaving(false)
    }
  }, [content, base, subject, placeId, kind, queryClient, storeCopy])

  // Network failures are retried automatically; what the server refused waits for the next change.
  const mayRetry = problem === 'offline' || (problem !== undefined && problem.status >= 500)
  useEffect(() => {
    if (!isChanged || conflict || isSaving || refused.current === content) return
    changedAt.current ??= Date.now()
    // Further typing does not postpone the retry.
    const dueAt = mayRetry
      ? failedAt.current + RETRY_DELAY_MS
      : Math.min(Date.now() + SAVE_DEBOUNCE_MS, changedAt.current + MAX_SAVE_DELAY_MS)
    const timer = setTimeout(() => void save(), Math.max(0, dueAt - Date.now()))
    return () => clearTimeout(timer)
  }, [isChanged, content, conflict, isSaving, save, mayRetry])

  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm(document.getElementById('leave-question')?.textContent ?? ''),
    enableBeforeUnload: isChanged,
  })

  const resolveConflict = (kept: Content) => {
    if (!conflict) return
    setBase(conflict)
    history.change(kept)
    setConflict(undefined)
  }
  return {
    ...history,
    content,
    baseId: base.id,
    isChanged,
    isSaving,
    problem,
    conflict,
    rescued: rescued?.at,
    save,
    follow: (newer) => {
      setBase(newer)
      history.change(newer.content)
    },
    remark: (text) => {
      note.current = text
    },
    // A copy, so that it counts as changed against theirs.
    keepMine: () => resolveConflict(structuredClone(content)),
    keepTheirs: () => conflict && resolveConflict(conflict.content),
    keepBoth: () => conflict && resolveConflict(kind.both(base.content, content, conflict.content)),
  }
}

interface DeviceCopyState {
  /** Whether a copy was there from the beginning. */
  isStored: boolean
  isNeeded: boolean
  isSaved: boolean
}

/**
 * Stores changes on this device within a second, even while a save is in progress, the server is unreachable or a conflict is open.
 * @returns stores them at once
 */
function useDeviceCopy(
  { subject, placeId }: RevisedPlace,
  copy: () => Omit<UnsavedDraft, 'at'>,
  { isStored, isNeeded, isSaved }: DeviceCopyState,
): () => void {
  /** In milliseconds; 0 if nothing is stored. */
  const storedAt = useRef(isStored ? 1 : 0)
  const storeCopy = useCallback(() => {
    storedAt.current = Date.now()
    storeUnsaved({ subject, placeId }, { ...copy(), at: new Date().toISOString() })
  }, [subject, placeId, copy])
  useEffect(() => {
    if (isSaved) {
      if (storedAt.current > 0) clearUnsaved({ subject, placeId })
      storedAt.current = 0
    }
    if (!isNeeded) return
    const wait = Math.min(SAVE_DEBOUNCE_MS, storedAt.current + MAX_SAVE_DELAY_MS - Date.now())
    const timer = setTimeout(storeCopy, Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [isNeeded, isSaved, storeCopy, subject, placeId])
  return storeCopy
}

/** What could not be saved the last time, if it differs from what is stored now. */
function findRescuedDraft<Content>(
  place: RevisedPlace,
  first: DraftBase<Content>,
  kind: DraftKind<Content>,
): (UnsavedDraft & { content: Content }) | undefined {
  const found = findUnsaved(place)
  const stored = kind.write(first.content)
  if (!found || isSameContent(kind, found.content, stored)) return undefined
  const isStored = found.sent.some((one) => isSameContent(kind, one, stored))
  return { ...found, parent: isStored ? first.id : found.parent, content: kind.read(found.content) }
}

const isSameContent = <Content>(kind: DraftKind<Content>, one: unknown, other: unknown): boolean =>
  isJsonEqual(kind.write(kind.read(one)), kind.write(kind.read(other)))

/** The version that somebody saved in between, if that is why a save was refused. */
const findCurrentVersion = (error: unknown): { id: string; content: unknown } | undefined =>
  isAppError(error, 'stale') ? ((error.meta?.['current'] as { id: string; content: unknown } | null | undefined) ?? undefined) : undefined
