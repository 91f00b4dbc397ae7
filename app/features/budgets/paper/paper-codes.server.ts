import { createHmac } from 'node:crypto'
import { hashLetterCode } from '#app/features/verifications/code-batches.server.ts'
import { formatReceiptCode } from '#app/lib/receipt-code.ts'
import type { Ctx } from '#app/server/context.ts'

/** The code on a sheet, which is not stored: who has the server's secret can compute it, to print the sheets again. @param number from 1 on */
export const deriveSheetCode = ({ runtime, site }: Ctx, batchId: string, number: number): string =>
  formatReceiptCode(createHmac('sha256', runtime.secret).update(`sheet/${site.id}/${batchId}/${number}`).digest())

/** What the database stores of a sheet's code: the same as of a letter's code, which opens the ballot online. */
export const hashSheetCode = hashLetterCode
