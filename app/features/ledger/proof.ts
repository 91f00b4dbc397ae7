/** The entry of something in a ledger, with what is needed to check it. */
export interface LedgerProof {
  /** Secret: with it, anyone can test guesses of the content against the leaf. */
  salt: string
  /** SHA-256 of the salt and the content. */
  leaf: string
  /** Null while it waits, for an hour at most. */
  entry: { number: number; hash: string } | null
  entries: number
  /** The hash of the last entry. */
  head: string
}
