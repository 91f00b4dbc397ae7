/** `added`: a salted hash. `replaced`: a mark on an entry that no longer stands. `result`: what a certified result is. */
export const ENTRY_KINDS = ['added', 'replaced', 'result'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]
