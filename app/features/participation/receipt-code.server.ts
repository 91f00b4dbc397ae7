import { createHash, createHmac } from 'node:crypto'
import { formatReceiptCode } from '#app/lib/receipt-code.ts'

/**
 * A receipt code such as `K7QF-1M8Z-XW3R-90BT` (80 bits). Derived from the sender's random key, so that sending again yields the same
 * receipt, and nobody can compute it without `sendKey` and the server's secret.
 */
export function deriveReceiptCode(secret: string, siteId: string, responseId: string, sendKey: string): string {
  return formatReceiptCode(createHmac('sha256', secret).update(`receipt/${siteId}/${responseId}/${sendKey}`).digest())
}

/** What the database stores of a code. */
export const hashReceiptCode = (siteId: string, code: string): Buffer => createHash('sha256').update(`${siteId}/${code}`).digest()
