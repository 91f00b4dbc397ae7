/** Content whose draft can be shown to somebody without an account, by a link. */
export const LINKED_SUBJECTS = ['homepage', 'appearance', 'project'] as const

export const REVISED_SUBJECTS = [...LINKED_SUBJECTS, 'activity', 'heard-report'] as const

export const EDITED_SUBJECTS = [...REVISED_SUBJECTS, 'survey'] as const

/** Whatever has an editor that several people can open at once. */
export interface EditedPlace {
  subject: (typeof EDITED_SUBJECTS)[number]
  /** The hub, project, activity or survey; null for the site's own content. */
  placeId: string | null
}

/** Content that is saved, published and restored as revisions. A survey has them for its history only. */
export interface RevisedPlace {
  subject: (typeof REVISED_SUBJECTS)[number]
  /** The hub, project (also of its report) or activity whose content it is; null for the site's own. */
  placeId: string | null
}

/** Content whose publication can be undone. A published report stays: the next one supersedes it. */
export interface WithdrawnPlace extends RevisedPlace {
  subject: Exclude<RevisedPlace['subject'], 'heard-report'>
}

export const canBeWithdrawn = (place: RevisedPlace): place is WithdrawnPlace => place.subject !== 'heard-report'

export interface LinkedPlace extends RevisedPlace {
  subject: (typeof LINKED_SUBJECTS)[number]
}

export const isLinkedPlace = (place: RevisedPlace): place is LinkedPlace => LINKED_SUBJECTS.some((subject) => subject === place.subject)

/** How a place's content is read, written and merged. */
export interface DraftKind<Content> {
  read: (stored: unknown) => Content
  write: (content: Content) => Record<string, unknown>
  /** Merges two people's changes to the same thing, losing nothing that either wrote as far as both can coexist. */
  both: (base: Content, mine: Content, theirs: Content) => Content
  /** Merges what two people changed independently. Without it, the editor asks about every newer version. */
  merge?: (base: Content, mine: Content, theirs: Content) => { mine: Content; theirs: Content; isClear: boolean }
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
