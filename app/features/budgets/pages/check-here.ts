import { type CheckedLedger, checkLedger } from '#app/features/ledger/check-ledger.ts'
import { type CheckedResult, checkResult } from '../counting/check-result.ts'
import { readPbFile } from '../counting/pb-file.ts'

export interface CheckedHere {
  ledger: CheckedLedger
  result: CheckedResult
  seconds: number
}

/**
 * Recomputes the ledger and the result in the browser, from the files that everybody can download.
 * @throws {Error} if a file cannot be loaded or read, or the page is not encrypted
 */
export async function checkHere(ledgerPath: string, potPaths: readonly string[]): Promise<CheckedHere> {
  const [ledgerText = '', ...potTexts] = await Promise.all([ledgerPath, ...potPaths].map(loadText))
  const began = performance.now()
  const ledger = await checkLedger(ledgerText)
  const files = await Promise.all(potTexts.map(readPbFile))
  const result = await checkResult(
    ledger,
    files.map((file) => {
      if (!file.rule) throw new Error('The rule is not known')
      return { ...file, rule: file.rule }
    }),
  )
  return { ledger, result, seconds: (performance.now() - began) / 1000 }
}

async function loadText(path: string): Promise<string> {
  // What was stored a minute ago would be compared with a newer head.
  const response = await fetch(path, { cache: 'no-store' })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.text()
}
