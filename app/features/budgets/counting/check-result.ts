import type { CheckedLedger } from '#app/features/ledger/check-ledger.ts'
import { hashText } from '#app/lib/hash-text.ts'
import type { CountingRule } from '#app/lib/vocabulary/budgets.ts'
import { countElection } from './count.ts'
import type { PbFile } from './pb-file.ts'

/** What was decided about one pot. */
export interface PotOutcome {
  /** SHA-256 of its ballots. */
  digest: string
  rule: CountingRule
  /** Ids of the options that are funded. */
  funded: readonly string[]
}

/** The text whose SHA-256 closes the ledger of a certified round: how many ballots there are, then a line for each pot. */
export const describeResult = (ballots: number, pots: readonly PotOutcome[]): string =>
  [
    `ballots ${ballots}`,
    ...pots.map(({ digest, rule, funded }) => `${digest} ${rule} ${funded.toSorted((a, b) => Number(a) - Number(b)).join(',')}`).toSorted(),
  ].join('\n')

export interface CheckedResult {
  /** For each file: what its count found, and whether the file states the same. */
  pots: readonly { ballots: number; outcome: PotOutcome; isStated: boolean }[]
  /** The ledger is closed with this result, and with as many ballots as it has entries that stand. */
  isSealed: boolean
}

/** Counts every pot of a certified round again, from its files, and compares the result with what closes the ledger. */
export async function checkResult(ledger: CheckedLedger, files: readonly (PbFile & { rule: CountingRule })[]): Promise<CheckedResult> {
  const pots = files.map(({ election, rule, stated }) => {
    const { funded } = countElection(election, rule)
    return {
      ballots: election.ballots.length,
      outcome: { digest: election.digest, rule, funded },
      isStated: stated !== null && new Set(stated).symmetricDifference(new Set(funded)).size === 0,
    }
  })
  const result = describeResult(
    ledger.standing,
    pots.map(({ outcome }) => outcome),
  )
  return { pots, isSealed: ledger.result === (await hashText(result)) }
}
