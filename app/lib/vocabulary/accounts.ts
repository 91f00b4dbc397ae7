export const GROUP_KINDS = ['group', 'tag'] as const
export type GroupKind = (typeof GROUP_KINDS)[number]

/** Who reads a note about a person: all who manage the person, or only those who manage everybody. */
export const NOTE_READERS = ['people-managers', 'site-administrators'] as const
export type NoteReader = (typeof NOTE_READERS)[number]
