import { type CheckedHere, checkHere, loadText } from '#app/features/ledger/check-here.ts'
import type { LedgerHead } from '#app/features/ledger/entries.ts'
import { type CheckedResult, checkResult } from '../counting/check-result.ts'
import { readPbFile } from '../counting/pb-file.ts'

/**
 * Recomputes the ledger and the result in the browser, from the files that everybody can download.
 * @throws {Error} if a file cannot be loaded or read, or the page is not encrypted
 */
export async function checkRoundHere(
  ledgerPath: string,
  stated: LedgerHead,
  potPaths: readonly string[],
): Promise<CheckedHere & { result: CheckedResult }> {
  const [checked, ...potTexts] = await Promise.all([checkHere(ledgerPath, stated), ...potPaths.map(loadText)])
  const files = await Promise.all(potTexts.map(readPbFile))
  const result = await checkResult(
    checked.ledger,
    files.map((file) => {
      if (!file.rule) throw new Error('The rule is not known')
      return { ...file, rule: file.rule }
    }),
  )
  return { ...checked, result }
}
