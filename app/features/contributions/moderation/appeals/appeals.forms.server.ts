import * as v from 'valibot'
import { AppError } from '#app/lib/app-error.ts'
import { createId, idSchema } from '#app/lib/uuid.ts'
import { readBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFormHandler, readText, redirectWithCookies } from '#app/server/forms.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { refuseHiddenField } from '#app/features/participation/sending.server.ts'
import { TEXT_FORM } from '../../record/contribution-forms.server.ts'
import { buildReceiptCookie, readReceiptCode } from '#app/features/participation/receipt-cookies.server.ts'
import { loadAppealPage } from './appeal-page.server.ts'
import { submitAppeal } from './submit-appeal.server.ts'

/** The forms of a decision's page: show the receipt's code, and appeal. */
export const appealForm = createFormHandler({ by: 'anyone', bounds: TEXT_FORM }, async ({ ctx, values, params, request }) => {
  refuseHiddenField(values)
  const decisionId = params['decision'] ?? ''
  const { pathname } = new URL(request.url)
  if (values['form'] === 'find') {
    const code = readText(values['code']).trim()
    await requireAuthorsReceipt(ctx, decisionId, code)
    return redirectWithCookies(pathname, [buildReceiptCookie(ctx, code)])
  }
  const id = v.safeParse(idSchema, values['id'])
  await submitAppeal(ctx, {
    id: id.success ? id.output : createId(),
    decisionId,
    words: readText(values['words']),
    receipt: readReceiptCode(),
    browserToken: readBrowserToken(ctx),
  })
  return redirectWithCookies(pathname)
})

/** @throws {AppError} `invalid` at `/code`, `too-many-requests` */
async function requireAuthorsReceipt(ctx: Ctx, decisionId: string, code: string): Promise<void> {
  if (!code) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  await limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt'), async () => {
    const { known } = await loadAppealPage(ctx, decisionId, { receipt: code })
    if (!known) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/code' }] })
  })
}
