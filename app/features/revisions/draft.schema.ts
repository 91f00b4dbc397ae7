export const REVISED_SUBJECTS = ['homepage', 'appearance', 'project'] as const

export const EDITED_SUBJECTS = [...REVISED_SUBJECTS, 'survey'] as const

/** Whatever has an editor that several people can open at once. */
export interface EditedPlace {
  subject: (typeof EDITED_SUBJECTS)[number]
  /** The hub, project or survey; null for the site's own content. */
  placeId: string | null
}

/** Content that is saved, published and restored as revisions. A survey has them for its history only. */
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

/** A text that is missing from a version about to be published. */
export interface MissingText {
  /** The name to waive it by. */
  name: string
  /** What is missing, in words. */
  label: string
  /** Id of the block to write it in. */
  at?: string
}
