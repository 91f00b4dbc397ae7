import type { AppError } from '#app/lib/app-error.ts'

export const REVISED_SUBJECTS = ['homepage', 'appearance', 'project'] as const

/** Content with revisions. */
export interface RevisedPlace {
  subject: (typeof REVISED_SUBJECTS)[number]
  /** The hub or project whose content it is; null for the site's own. */
  placeId: string | null
}

/** How a place's content is read, written and merged. */
export interface DraftKind<Content> {
  read: (stored: unknown) => Content
  write: (content: Content) => Record<string, unknown>
  /** Merges two people's changes to the same thing, losing nothing that either wrote as far as both can coexist. */
  both: (base: Content, mine: Content, theirs: Content) => Content
}

/** What somebody edits, with undo, redo and its save state. */
export interface Draft<Content> {
  content: Content
  /** `place` names the edited field: uninterrupted typing there is one undo step. */
  change: (next: Content | ((now: Content) => Content), place?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  /** The last saved revision; null if there is none yet. */
  baseId: string | null
  isChanged: boolean
  isSaving: boolean
  problem: AppError | 'offline' | undefined
  /** Somebody else saved another version in between. */
  conflict: { id: string; content: Content } | undefined
  /** When the restored unsaved content was written, if there is any. */
  rescued: string | undefined
  /** Continues from a newer version that somebody else saved, if nothing is unsaved. */
  follow: (newer: { id: string; content: Content }) => void
  /** @returns id of the revision with the current content, or undefined if it could not be saved */
  save: () => Promise<string | undefined>
  /** Sets the note of the next saved revision. */
  remark: (text: string) => void
  keepMine: () => void
  keepTheirs: () => void
  keepBoth: () => void
}

/** A text that is missing from a version about to be published. */
export interface MissingText {
  /** The name to waive it by. */
  name: string
  /** What is missing, in words. */
  label: string
  /** Id of the block to write it in. */
  at?: string
}
