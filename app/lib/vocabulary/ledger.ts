/** `replaced`: something else stands for it now. `withdrawn`: what it is about is no longer held. */
export const MARK_KINDS = ['replaced', 'withdrawn'] as const
export type MarkKind = (typeof MARK_KINDS)[number]

/** `added`: a salted hash. Marks: on an entry that no longer stands. `result`: what a certified result is. */
export const ENTRY_KINDS = ['added', ...MARK_KINDS, 'result'] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const isMarkKind = (kind: EntryKind): kind is MarkKind => kind === 'replaced' || kind === 'withdrawn'

/** What a ledger belongs to. */
export const LEDGER_OWNERS = ['round', 'activity'] as const
export type LedgerOwner = (typeof LEDGER_OWNERS)[number]
