import type { AppError } from '#app/lib/app-error.ts'

export const REVISED_SUBJECTS = ['homepage', 'appearance'] as const

/** What is kept in versions, and of whom: the site, or one of its hubs. */
export interface RevisedPlace {
  subject: (typeof REVISED_SUBJECTS)[number]
  hubId: string | null
}

export const SHARED_SUBJECTS = [...REVISED_SUBJECTS, 'project'] as const

/** What can be shown to somebody before it is published: what is kept in versions, or a project. */
export type SharedPlace = RevisedPlace | { subject: 'project'; projectId: string }

/** How the content of a place is read, written and joined. */
export interface DraftKind<Content> {
  read: (stored: unknown) => Content
  write: (content: Content) => Record<string, unknown>
  /** What two people made of the same: nothing that either of them wrote is lost, as far as both can stand. */
  both: (base: Content, mine: Content, theirs: Content) => Content
}

/** What somebody edits, with its way back and forth, and whether it is safe. */
export interface Draft<Content> {
  content: Content
  /** `place` names where somebody types: what is typed there without a pause is one step back. */
  change: (next: Content | ((now: Content) => Content), place?: string) => void
  undo: () => void
  redo: () => void
  canUndo: boolean
  canRedo: boolean
  /** The revision it was last saved as; null where there is none yet. */
  baseId: string | null
  isChanged: boolean
  isSaving: boolean
  problem: AppError | 'offline' | undefined
  /** Somebody else saved another version in between. */
  conflict: { id: string; content: Content } | undefined
  /** When what could not be saved then was written, if it is back now. */
  rescued: string | undefined
  /** Goes on from a newer version that somebody else saved, where nothing is unsaved. */
  follow: (newer: { id: string; content: Content }) => void
  /** @returns id of the revision that holds it, or undefined where it could not be saved */
  save: () => Promise<string | undefined>
  /** Said of the next revision that is saved. */
  remark: (text: string) => void
  keepMine: () => void
  keepTheirs: () => void
  keepBoth: () => void
}

/** A text that a version would be published without. */
export interface MissingText {
  /** What it is waived by. */
  name: string
  /** What is missing, in words. */
  label: string
  /** Where it is written: a block's id. */
  at?: string
}
