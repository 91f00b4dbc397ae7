import { useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import type { Draft, DraftKind, RevisedPlace } from '../draft.schema.ts'
import { historyQuery } from '../revisions.queries.ts'
import { findUnsaved, forgetUnsaved, keepUnsaved } from './rescue.ts'
import { saveRevision } from './revision-writes.ts'
import { useHistory } from './use-history.ts'

const SAVES_AFTER_MS = 600
/** However long somebody types without a pause. */
const SAVES_WITHIN_MS = 900
const TRIES_AGAIN_MS = 4000

interface Base<Content> {
  id: string | null
  content: Content
}

/**
 * What is on the screen while somebody edits it. It is saved as a revision on top of the one before, at each pause and at least every
 * second. When somebody else saved in between, nothing is saved until it is decided whose is kept; what was typed stays in any case,
 * and what could not be saved is there again the next time.
 */
export function useDraft<Content>(place: RevisedPlace, first: Base<Content>, kind: DraftKind<Content>): Draft<Content> {
  const queryClient = useQueryClient()
  const { subject, hubId } = place
  const [rescued] = useState(() => rescue(place, first, kind))
  const history = useHistory<Content>(first.content, rescued?.content)
  const content = history.now
  const [base, setBase] = useState<Base<Content>>(rescued ? { id: rescued.parent, content: first.content } : first)
  const [conflict, setConflict] = useState<{ id: string; content: Content }>()
  const [problem, setProblem] = useState<AppError | 'offline'>()
  const [isSaving, setSaving] = useState(false)
  const note = useRef('')
  const changedAt = useRef<number>(undefined)
  const refused = useRef<Content>(undefined)
  const isChanged = content !== base.content

  const save = useCallback(async (): Promise<string | undefined> => {
    if (content === base.content && base.id) return base.id
    const at: RevisedPlace = { subject, hubId }
    const stored = kind.write(content)
    setSaving(true)
    changedAt.current = undefined
    keepUnsaved(at, { parent: base.id, content: stored, at: new Date().toISOString() })
    try {
      const id = await saveRevision(at, { content: stored, parent: base.id, note: note.current })
      note.current = ''
      forgetUnsaved(at)
      setBase({ id, content })
      setProblem(undefined)
      void queryClient.invalidateQueries({ queryKey: historyQuery(at).queryKey })
      return id
    } catch (error) {
      const current = isAppError(error, 'stale')
        ? (error.meta?.['current'] as { id: string; content: unknown } | null | undefined)
        : undefined
      if (current) setConflict({ id: current.id, content: kind.read(current.content) })
      else {
        setProblem(isAppError(error) ? error : 'offline')
        if (isAppError(error) && error.status < 500) refused.current = content
      }
      return undefined
    } finally {
      setSaving(false)
    }
  }, [content, base, subject, hubId, kind, queryClient])

  // A network that failed is tried again by itself; what the server refused waits for the next change.
  const mayRetry = problem === 'offline' || (problem !== undefined && problem.status >= 500)
  useEffect(() => {
    if (!isChanged || conflict || isSaving || refused.current === content) return
    changedAt.current ??= Date.now()
    const wait = mayRetry ? TRIES_AGAIN_MS : Math.min(SAVES_AFTER_MS, changedAt.current + SAVES_WITHIN_MS - Date.now())
    const timer = setTimeout(() => void save(), Math.max(0, wait))
    return () => clearTimeout(timer)
  }, [isChanged, content, conflict, isSaving, save, mayRetry])

  useBlocker({
    shouldBlockFn: () => isChanged && !window.confirm(document.getElementById('leave-question')?.textContent ?? ''),
    enableBeforeUnload: isChanged,
  })

  const settle = (kept: Content) => {
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
    keepMine: () => settle(structuredClone(content)),
    keepTheirs: () => conflict && settle(conflict.content),
    keepBoth: () => conflict && settle(kind.both(base.content, content, conflict.content)),
  }
}

function rescue<Content>(place: RevisedPlace, first: Base<Content>, kind: DraftKind<Content>) {
  const found = findUnsaved(place)
  if (!found) return undefined
  const content = kind.read(found.content)
  return JSON.stringify(kind.write(content)) === JSON.stringify(kind.write(first.content)) ? undefined : { ...found, content }
}
