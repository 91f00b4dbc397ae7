import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { invalidateSurvey, surveyQuery } from '../../surveys.queries.ts'
import type { Definition } from '../../surveys.schema.ts'
import { recordStep, redoStep, startHistory, undoStep } from './edit-history.ts'
import { listChangedFields, toSurveyDraft, type MergedDrafts, mergeDrafts, type Survey, type SurveyDraft } from './survey-draft.ts'
import { findUnsavedSurvey, forgetUnsavedSurvey, keepUnsavedSurvey } from './unsaved-survey.ts'

const AUTOSAVE_DEBOUNCE_MS = 900
const RETRY_MS = 5000
const DEVICE_SAVE_THROTTLE_MS = 600
/** A save without an answer for this long counts as failed. */
const SAVE_TIMEOUT_MS = 15_000

interface SavedDraft {
  draft: SurveyDraft
  lockVersion: number
}

interface SentDraft {
  draft: SurveyDraft
  /** What it was changed from. */
  base: SavedDraft
}

function sendChanges(id: string, { draft, base }: SentDraft) {
  const attributes = Object.fromEntries(listChangedFields(base.draft, draft).map((name) => [name, draft[name]]))
  const signal = AbortSignal.timeout(SAVE_TIMEOUT_MS)
  return api.update('surveys', id, { attributes }, { lockVersion: base.lockVersion, include: ['project'], signal })
}

/**
 * A survey's draft in the editor, with autosave shortly after the last change. If somebody else saved in between, both people's changes are
 * merged; if both changed the same question or field, `conflict` holds the two versions and nothing is saved until one is chosen.
 */
export function useSurveyDraft(survey: Survey, leaveQuestion: string) {
  const queryClient = useQueryClient()
  const [rescued] = useState(() => findRescuedDraft(survey))
  const [history, setHistory] = useState(() => {
    const stored = startHistory(toSurveyDraft(survey))
    return rescued ? recordStep(stored, rescued.draft, undefined, 0) : stored
  })
  const [base, setBase] = useState<SavedDraft>(rescued?.base ?? { draft: history.present, lockVersion: survey.meta.lockVersion })
  const [conflict, setConflict] = useState<MergedDrafts>()
  const [joined, setJoined] = useState(false)
  const draft = history.present
  const changed = listChangedFields(base.draft, draft)
  const unacknowledgedDrafts = useRef<SurveyDraft[]>([])

  const save = useMutation({
    mutationFn: (sent: SentDraft) => {
      unacknowledgedDrafts.current.push(sent.draft)
      return sendChanges(survey.id, sent)
    },
    onSuccess: (saved, sent) => {
      unacknowledgedDrafts.current = []
      setBase({ draft: sent.draft, lockVersion: saved.data.meta.lockVersion })
      queryClient.setQueryData(surveyQuery(survey.id).queryKey, saved)
      return invalidateSurvey(queryClient)
    },
    onError: async (error, sent) => {
      if (!isAppError(error, 'stale')) return
      const current = await queryClient.fetchQuery({ ...surveyQuery(survey.id), staleTime: 0 })
      const theirs = toSurveyDraft(current.data)
      // If the response to our own save was lost, the stored draft is ours, not somebody else's.
      if (unacknowledgedDrafts.current.some((each) => listChangedFields(each, theirs).length === 0)) {
        return setBase({ draft: theirs, lockVersion: current.data.meta.lockVersion })
      }
      const merged = mergeDrafts(sent.base.draft, draftNow.current, theirs)
      setBase({ draft: theirs, lockVersion: current.data.meta.lockVersion })
      setHistory(startHistory(merged.mine))
      setJoined(true)
      setConflict(merged.conflicts.length > 0 ? merged : undefined)
    },
  })
  const { mutate, mutateAsync, isPending, isError, error } = save
  const draftNow = useRef(draft)
  const baseNow = useRef(base)
  const conflictNow = useRef(conflict)
  const pending = useRef<Promise<unknown>>(undefined)
  useEffect(() => {
    draftNow.current = draft
    baseNow.current = base
    conflictNow.current = conflict
  })

  const dirty = changed.length > 0
  const refused = isError && isAppError(error) && error.status < 500 && error.code !== 'stale' && save.variables.draft === draft
  useEffect(() => {
    if (!dirty || conflict || isPending || refused) return
    const waits = setTimeout(
      () => {
        pending.current = mutateAsync({ draft, base }).catch(() => undefined)
      },
      isError && !isAppError(error, 'stale') && save.variables?.draft === draft ? RETRY_MS : AUTOSAVE_DEBOUNCE_MS,
    )
    return () => clearTimeout(waits)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- what was sent last is looked at, not waited for
  }, [draft, base, dirty, conflict, isPending, refused, isError, error, mutateAsync])

  useDeviceCopy(survey.id, { base, draft, dirty, rescued: rescued !== undefined })

  /** Saves unsaved changes at once. @returns the lock version that is then stored */
  const flush = async (): Promise<number> => {
    await pending.current
    await new Promise((resolve) => setTimeout(resolve))
    const [now, from] = [draftNow.current, baseNow.current]
    if (listChangedFields(from.draft, now).length === 0) return from.lockVersion
    const saving = mutateAsync({ draft: now, base: from })
    pending.current = saving.catch(() => undefined)
    return (await saving).data.meta.lockVersion
  }

  // Which of two versions is right is for the person to say, so leaving must not save one of them.
  useLeaveGuard({
    dirty,
    leaveQuestion,
    saveFirst: async () => (conflictNow.current ? Promise.reject(new Error('A conflict is open')) : flush()),
  })

  const change = (next: Partial<SurveyDraft>, key?: string) =>
    setHistory((now) => recordStep(now, { ...now.present, ...next }, key, performance.now()))

  return {
    draft,
    changed,
    change,
    /** @param key the field, so that continuous typing is one undo step */
    changeDefinition: (edit: (definition: Definition) => Definition, key?: string) =>
      setHistory((now) => recordStep(now, { ...now.present, definition: edit(now.present.definition) }, key, performance.now())),
    undo: history.past.length > 0 ? () => setHistory(undoStep) : undefined,
    redo: history.future.length > 0 ? () => setHistory(redoStep) : undefined,
    saveNow: () => mutate({ draft, base }),
    flush,
    saving: isPending,
    failed: isError && !isAppError(error, 'stale') && dirty,
    /** Why the last save was refused, until the draft changes. */
    refusal: refused ? (error satisfies AppError) : undefined,
    conflict,
    /** Somebody else's changes have been merged. */
    joined,
    /** When the restored changes were made, if there are any. */
    rescued: rescued?.at,
    keepMine: () => setConflict(undefined),
    takeTheirs: () => {
      if (conflict) setHistory((now) => recordStep(now, conflict.theirs, undefined, performance.now()))
      setConflict(undefined)
    },
  }
}

/** Keeps changes on this device within a second, whether or not a save is in progress or succeeds. */
function useDeviceCopy(
  id: string,
  { base, draft, dirty, rescued }: { base: SavedDraft; draft: SurveyDraft; dirty: boolean; rescued: boolean },
): void {
  const keptAt = useRef(rescued ? 1 : 0)
  useEffect(() => {
    if (!dirty) {
      if (keptAt.current > 0) forgetUnsavedSurvey(id)
      keptAt.current = 0
      return
    }
    const keepOnDevice = () => {
      keptAt.current = Date.now()
      keepUnsavedSurvey(id, { base, draft, at: new Date().toISOString() })
    }
    const waits = setTimeout(
      keepOnDevice,
      Math.min(DEVICE_SAVE_THROTTLE_MS, Math.max(0, keptAt.current + DEVICE_SAVE_THROTTLE_MS - Date.now())),
    )
    return () => clearTimeout(waits)
  }, [id, base, draft, dirty])
}

/** Saves before the editor is left, and asks the person if that fails. */
function useLeaveGuard({
  dirty,
  leaveQuestion,
  saveFirst,
}: {
  dirty: boolean
  leaveQuestion: string
  saveFirst: () => Promise<unknown>
}): void {
  useBlocker({
    shouldBlockFn: async () => {
      try {
        await saveFirst()
        return false
      } catch {
        return !window.confirm(leaveQuestion)
      }
    },
    enableBeforeUnload: dirty,
    disabled: !dirty,
  })
}

/** Changes that could not be saved last time, if they differ from the stored draft. */
function findRescuedDraft(survey: Survey) {
  const stored = toSurveyDraft(survey)
  const found = findUnsavedSurvey(survey.id, stored)
  return found && listChangedFields(stored, found.draft).length > 0 ? found : undefined
}

export type SurveyEditing = ReturnType<typeof useSurveyDraft>
