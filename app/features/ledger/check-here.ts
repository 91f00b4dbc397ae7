import { type CheckedLedger, checkLedger, isContinued } from './check-ledger.ts'
import type { LedgerHead } from './entries.ts'

export interface CheckedHere {
  ledger: CheckedLedger
  /** Whether the file has the last entry that the page shows. More may have been added since. */
  isContinued: boolean
}

/**
 * Recomputes a ledger in the browser, from the file that everybody can download.
 * @param stated what the page shows
 * @throws {Error} if the file cannot be loaded, or the page is not encrypted
 */
export async function checkHere(path: string, stated: LedgerHead): Promise<CheckedHere> {
  const text = await loadText(path)
  return { ledger: await checkLedger(text), isContinued: isContinued(text, stated) }
}

/** @throws {Error} if it cannot be loaded */
export async function loadText(path: string): Promise<string> {
  // What was stored a minute ago would be compared with a newer head.
  const response = await fetch(path, { cache: 'no-store' })
  if (!response.ok) throw new Error(`${path}: ${response.status}`)
  return response.text()
}
