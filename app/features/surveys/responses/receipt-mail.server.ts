import { mailReceiptCode } from '#app/features/participation/receipt-mail.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { Ctx } from '#app/server/context.ts'
import { requireContribution } from './receipts.server.ts'

/**
 * Emails a receipt code. Refused for anonymous surveys: an address beside the code would reveal whose answers they are.
 * @param code the receipt code that the browser holds
 * @throws {AppError} as `mailReceiptCode`; `not-found`; `forbidden` for an anonymous survey or a withdrawn response
 */
export const mailReceipt = (ctx: Ctx, code: string, typed: string): Promise<void> =>
  mailReceiptCode(ctx, typed, async () => {
    const { anonymous, withdrawnAt, survey, ...contribution } = await requireContribution(ctx, code)
    if (anonymous || withdrawnAt || !contribution.code) throw new AppError('forbidden')
    return { kind: 'survey-receipt', title: survey.title.text, code: contribution.code }
  })
