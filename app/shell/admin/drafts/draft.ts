import type { AppError } from '#app/lib/app-error.ts'

export interface StoredVersion<Content> {
  /** Changes with each save; null if nothing has been stored yet. */
  id: string | null
  content: Content
  /** Who saved it and when (ISO 8601), where the store tells. */
  savedBy?: string | null | undefined
  savedAt?: string | undefined
}

/** Another person's version that was merged in, and what it was based on. */
export interface MergedIn<Content> {
  before: Content
  version: StoredVersion<Content>
}

/** Ids of versions are in order of time: numbers, or UUIDs that begin with it. */
export const isNewerVersion = (id: string, other: string): boolean => (id.length === other.length ? id > other : id.length > other.length)

/** What differs between the editors: how their content is stored, and how two people's changes meet. */
export interface DraftStore<Content> {
  /** Names the copy of unsaved content on this device. */
  name: string
  /** Content as JSON, for that copy and to compare two versions. */
  write: (content: Content) => unknown
  /** The reverse. May throw if the copy is unusable. */
  read: (written: unknown) => Content
  /**
   * Stores a version on top of its base.
   * @returns its id
   * @throws {AppError} `stale` if another version has been stored since
   */
  save: (content: Content, base: StoredVersion<Content>) => Promise<string>
  /** The newest stored version, if there is any. */
  loadNewest: () => Promise<StoredVersion<Content> | undefined>
  /** Merges what two people changed independently. Without it, the editor asks about every newer version. */
  merge?: (base: Content, mine: Content, theirs: Content) => MergedVersions<Content>
  /** Merges two people's changes to the same thing, losing nothing that either wrote as far as both can coexist. */
  both: (base: Content, mine: Content, theirs: Content) => Content
  /** Delay of a save after the last change. */
  debounceMs: number
  /** Upper bound for the delay during continuous typing. */
  maxDelayMs: number
}

/** Both people's changes. */
export interface MergedVersions<Content> {
  /** Mine where they contradict each other. */
  mine: Content
  /** Theirs where they contradict each other. */
  theirs: Content
  /** False if they contradict each other somewhere. */
  isClear: boolean
}

/** The content being edited, with undo, redo and its save state. */
export interface Draft<Content> {
  content: Content
  /** `place` names the edited field: uninterrupted typing there is one undo step. */
  change: (next: Content | ((now: Content) => Content), place?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  /** The last saved version, which `content` is based on. */
  base: StoredVersion<Content>
  isChanged: boolean
  isSaving: boolean
  problem: AppError | 'offline' | undefined
  /** A version that another person saved and that conflicts with this one. Nothing is saved until the conflict is resolved. */
  conflict: StoredVersion<Content> | undefined
  /** The last changes of another person that have been merged in. */
  merged: MergedIn<Content> | undefined
  /** When the restored unsaved content was written, if there is any. */
  rescued: string | undefined
  /** Switches to the newest version, which another person saved, unless there are unsaved changes. */
  follow: () => Promise<void>
  /** @returns id of the version with the current content, or undefined if it could not be saved */
  save: () => Promise<string | undefined>
  keepMine: () => void
  keepTheirs: () => void
  keepBoth: () => void
}

export type DraftState = 'saved' | 'saving' | 'unsaved' | 'conflict' | 'offline' | 'refused' | 'signed-out'

export function getDraftState({
  conflict,
  isSaving,
  isChanged,
  problem,
}: Pick<Draft<unknown>, 'conflict' | 'isSaving' | 'isChanged' | 'problem'>): DraftState {
  if (conflict) return 'conflict'
  if (isSaving) return problem ? 'offline' : 'saving'
  if (!isChanged) return 'saved'
  if (!problem) return 'unsaved'
  if (problem !== 'offline' && problem.code === 'unauthenticated') return 'signed-out'
  return problem === 'offline' || problem.status >= 500 ? 'offline' : 'refused'
}
