import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { isJsonEqual } from '#app/lib/json-equal.ts'
import type { Draft, DraftStore, MergedIn, StoredVersion } from './draft.ts'
import { mapSteps, recordStep, redoStep, startSteps, undoStep, type UndoSteps } from './undo-steps.ts'
import { appendSent, clearUnsaved, findUnsaved, storeUnsaved } from './unsaved-drafts.ts'

const RETRY_DELAY_MS = 4000
const COPY_THROTTLE_MS = 600
/** How many times one save is rebased on a newer version before it fails. */
const MAX_REBASES = 4

interface SessionState<Content> {
  steps: UndoSteps<Content>
  base: StoredVersion<Content>
  isSaving: boolean
  problem: AppError | 'offline' | undefined
  conflict: StoredVersion<Content> | undefined
  merged: MergedIn<Content> | undefined
}

/**
 * One person's editing of a draft. Saves are debounced with an upper bound, and each names the version it is based on. If another person has
 * saved in between, the two versions are merged; if they conflict, nothing is saved until the conflict is resolved. Changes are never lost:
 * unsaved ones are copied to this device and restored the next time.
 */
export class DraftSession<Content> {
  readonly #store: DraftStore<Content>
  readonly #listeners = new Set<() => void>()
  readonly #rescued: string | undefined
  #state: SessionState<Content>
  #draft: Draft<Content>
  #isActive = false
  /** When the first change since the last save was made. */
  #changedAt: number | undefined
  #failedAt = 0
  /** What the server refused waits for the next change. */
  #refused: Content | undefined
  /** Versions sent without an answer. */
  #sent: readonly unknown[]
  #saving: Promise<unknown> = Promise.resolve()
  #saveTimer: ReturnType<typeof setTimeout> | undefined
  #copyTimer: ReturnType<typeof setTimeout> | undefined

  constructor(store: DraftStore<Content>, first: StoredVersion<Content>) {
    this.#store = store
    const rescued = findRescuedDraft(store, first)
    this.#rescued = rescued?.at
    this.#sent = rescued?.sent ?? []
    const stored = startSteps(first.content)
    this.#state = {
      steps: rescued ? recordStep(stored, rescued.content) : stored,
      base: rescued?.base ?? first,
      isSaving: false,
      problem: undefined,
      conflict: undefined,
      merged: undefined,
    }
    this.#draft = this.#describeDraft(undefined)
  }

  /** @returns stops saving; what is unsaved then stays on this device */
  start(): () => void {
    this.#isActive = true
    this.#schedule()
    return () => {
      this.#isActive = false
      this.#clearTimers()
      if (this.#draft.isChanged) this.#storeCopy()
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly getDraft = (): Draft<Content> => this.#draft

  readonly change = (next: Content | ((now: Content) => Content), place?: string): void => {
    const { steps } = this.#state
    const content = typeof next === 'function' ? (next as (now: Content) => Content)(steps.present) : next
    this.#set({ steps: recordStep(steps, content, place, Date.now()) })
  }

  readonly undo = (): void => this.#set({ steps: undoStep(this.#state.steps) })
  readonly redo = (): void => this.#set({ steps: redoStep(this.#state.steps) })

  readonly follow = async (): Promise<void> => {
    const newest = await this.#store.loadNewest()
    const { isChanged, isSaving } = this.#draft
    // What was typed meanwhile is saved on top, which merges both.
    if (newest && !isChanged && !isSaving) this.#set({ base: newest, steps: recordStep(this.#state.steps, newest.content) })
  }

  readonly keepMine = (): void => this.#resolveConflict((_, mine) => mine)
  readonly keepTheirs = (): void => this.#resolveConflict((base, mine, theirs) => this.#store.merge?.(base, mine, theirs).theirs ?? theirs)
  readonly keepBoth = (): void => this.#resolveConflict(this.#store.both)

  /** Saves go one after another. */
  readonly save = (): Promise<string | undefined> => {
    const saving = this.#saving.then(() => this.#saveNow())
    this.#saving = saving
    return saving
  }

  async #saveNow(): Promise<string | undefined> {
    const { content, conflict } = this.#draft
    if (conflict) return undefined
    clearTimeout(this.#saveTimer)
    this.#changedAt = undefined
    try {
      return await this.#sendOnTop(MAX_REBASES)
    } catch (error) {
      this.#failedAt = Date.now()
      if (isAppError(error) && error.status < 500) this.#refused = content
      this.#set({ problem: isAppError(error) ? error : 'offline' })
      return undefined
    } finally {
      this.#set({ isSaving: false })
    }
  }

  async #sendOnTop(rebasesLeft: number): Promise<string | undefined> {
    const { content, base, isChanged } = this.#draft
    if (!isChanged && base.id !== null) return base.id
    this.#set({ isSaving: true })
    const sentBefore = this.#sent
    this.#sent = appendSent(sentBefore, this.#store.write(content))
    this.#storeCopy()
    try {
      const id = await this.#store.save(content, base)
      this.#sent = []
      this.#set({ base: { id, content }, problem: undefined })
      return id
    } catch (error) {
      const newer = isAppError(error, 'stale') ? await this.#store.loadNewest() : undefined
      if (!newer || rebasesLeft === 0) throw error
      return this.#rebase(newer, sentBefore) ? this.#sendOnTop(rebasesLeft - 1) : undefined
    }
  }

  /** Rebases the draft on a newer version. @returns false if the two conflict */
  #rebase(newer: StoredVersion<Content>, sentBefore: readonly unknown[]): boolean {
    const { base, content } = this.#draft
    const { merge } = this.#store
    // If the response to a save got lost, the newer version is our own.
    const isOwn = [...sentBefore, this.#store.write(content)].some((one) => isWritten(this.#store, one, newer.content))
    if (isOwn) {
      this.#sent = []
      this.#set({ base: newer, problem: undefined })
      return true
    }
    const isClear = merge?.(base.content, content, newer.content).isClear ?? false
    this.#set({
      // Into each step, so that undoing our own change does not undo theirs.
      ...(merge && {
        steps: mapSteps(this.#state.steps, (one) => merge(base.content, one, newer.content).mine),
        merged: { before: base.content, version: newer },
      }),
      ...(isClear ? { base: newer } : { conflict: newer }),
    })
    return isClear
  }

  /** `conflict` becomes the base only now: if the window is closed before, the conflict must not be forgotten. */
  #resolveConflict(choose: (base: Content, mine: Content, theirs: Content) => Content): void {
    const { steps, base, conflict } = this.#state
    if (!conflict) return
    const kept = choose(base.content, steps.present, conflict.content)
    this.#set({ base: conflict, conflict: undefined, steps: recordStep(steps, kept) })
  }

  #set(change: Partial<SessionState<Content>>): void {
    this.#state = { ...this.#state, ...change }
    this.#draft = this.#describeDraft(this.#draft)
    this.#schedule()
    for (const listener of this.#listeners) listener()
  }

  #describeDraft(before: Draft<Content> | undefined): Draft<Content> {
    const { steps, base, ...rest } = this.#state
    const { change, undo, redo, follow, save, keepMine, keepTheirs, keepBoth } = this
    const content = steps.present
    const isCompared = before !== undefined && before.content === content && before.base === base
    return {
      ...rest,
      content,
      base,
      isChanged: isCompared ? before.isChanged : !isSameContent(this.#store, content, base.content),
      canUndo: steps.past.length > 0,
      canRedo: steps.future.length > 0,
      rescued: this.#rescued,
      change,
      undo,
      redo,
      follow,
      save,
      keepMine,
      keepTheirs,
      keepBoth,
    }
  }

  /** Schedules the copy on this device and, unless something prevents it, the save. */
  #schedule(): void {
    clearTimeout(this.#saveTimer)
    const { content, isChanged, isSaving, conflict, problem } = this.#draft
    if (!isChanged) {
      if (isSaving) return
      this.#clearTimers()
      clearUnsaved(this.#store.name)
      return
    }
    if (!this.#isActive) return
    this.#copyTimer ??= setTimeout(() => this.#storeCopy(), COPY_THROTTLE_MS)
    if (isSaving || conflict || this.#refused === content) return
    this.#changedAt ??= Date.now()
    const { debounceMs, maxDelayMs } = this.#store
    // Further typing does not postpone the retry.
    const isRetry = problem === 'offline' || (problem !== undefined && problem.status >= 500)
    const dueAt = isRetry ? this.#failedAt + RETRY_DELAY_MS : Math.min(Date.now() + debounceMs, this.#changedAt + maxDelayMs)
    this.#saveTimer = setTimeout(() => void this.save(), Math.max(0, dueAt - Date.now()))
  }

  #clearTimers(): void {
    clearTimeout(this.#saveTimer)
    clearTimeout(this.#copyTimer)
    this.#copyTimer = undefined
    this.#changedAt = undefined
  }

  #storeCopy(): void {
    clearTimeout(this.#copyTimer)
    this.#copyTimer = undefined
    const { content, base } = this.#draft
    storeUnsaved(this.#store.name, {
      parent: base.id,
      base: this.#store.write(base.content),
      content: this.#store.write(content),
      at: new Date().toISOString(),
      sent: this.#sent,
    })
  }
}

/** What could not be saved the last time, if it differs from what is stored now. */
function findRescuedDraft<Content>(store: DraftStore<Content>, first: StoredVersion<Content>) {
  const found = findUnsaved(store.name)
  if (!found) return undefined
  try {
    const content = store.read(found.content)
    if (isSameContent(store, content, first.content)) return undefined
    const isOwn = found.sent.some((one) => isWritten(store, one, first.content))
    const base = isOwn ? first : { id: found.parent, content: found.base === undefined ? first.content : store.read(found.base) }
    return { content, base, at: found.at, sent: found.sent }
  } catch {
    return undefined
  }
}

const isSameContent = <Content>(store: DraftStore<Content>, one: Content, other: Content): boolean =>
  one === other || isJsonEqual(store.write(one), store.write(other))

/** Whether a version written down earlier is this one. */
const isWritten = <Content>(store: DraftStore<Content>, written: unknown, content: Content): boolean =>
  isSameContent(store, store.read(written), content)
