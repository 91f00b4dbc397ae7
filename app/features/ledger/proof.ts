/** That something is in a ledger, and how to check it. */
export interface LedgerProof {
  /** Without it, nobody can try out what a leaf is the hash of. */
  salt: string
  /** SHA-256 of the salt and the content. */
  leaf: string
  /** Null while it waits, for an hour at most. */
  entry: { number: number; hash: string } | null
  entries: number
  /** The hash of the last entry. */
  head: string
}
