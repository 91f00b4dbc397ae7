import { mailReceiptCode } from '#app/features/participation/receipt-mail.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import type { ActivityAddress } from '../record/activities.policy.server.ts'
import { requireOwnContribution } from './own-contributions.server.ts'

/**
 * Emails the receipt code of a contribution.
 * @param code the receipt code that the browser holds
 * @throws {AppError} as `mailReceiptCode`; `not-found`; `forbidden` once its text is gone
 */
export const mailContributionReceipt = (ctx: Ctx, address: ActivityAddress, code: string | undefined, typed: string): Promise<void> =>
  mailReceiptCode(ctx, typed, async () => {
    const { activity, contribution } = await ctx.db.read((tx) => requireOwnContribution(ctx, tx, address, { code }))
    const known = parseReceiptCode(code ?? '')
    if (!known || contribution.state === 'withdrawn' || contribution.state === 'erased') throw new AppError('forbidden')
    return { kind: 'contribution-receipt', title: getTranslation(activity.title, ctx.contentLanguage, ctx.site.locale), code: known }
  })
