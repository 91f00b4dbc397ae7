import { buildReceiptCookie, readReceiptCodes } from '#app/features/participation/receipt-cookies.server.ts'
import { readSending, refuseHiddenField } from '#app/features/participation/sending.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import { parseReceiptCode } from '#app/lib/receipt-code.ts'
import { createFormHandler, readText, redirectWithCookies, type Submission } from '#app/server/forms.ts'
import { limitGuesses, limitGuessesByAddress } from '#app/server/limits/guesses.ts'
import { type EventAddress, requireEventAt } from './events.policy.server.ts'
import { findHeldReceipt, findOwnSignUp } from './event-views.server.ts'
import { cancelSignUp, findByReceipt } from './signing-up/cancel-sign-up.server.ts'
import { openReceipt } from './signing-up/event-mails.server.ts'
import { signUp } from './signing-up/sign-up.server.ts'
import { readSentAnswers } from './signing-up/sign-up-questions.server.ts'

const toAddress = (params: Record<string, string>): EventAddress => ({ project: params['slug'] ?? '', event: params['event'] ?? '' })
const buildReceiptPath = ({ params, path }: Submission) =>
  path(`/projects/${encodeURIComponent(params['slug'] ?? '')}/events/${encodeURIComponent(params['event'] ?? '')}/receipt`)

/** The page of an event: signs up, or opens the receipt of an account that has signed up. */
export const signUpForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values, params } = submission
  const find = (tx: Parameters<typeof requireEventAt>[1]) => requireEventAt(ctx, tx, toAddress(params))
  if (values['form'] === 'receipt') {
    const code = await ctx.db.read(async (tx) => {
      const own = await findOwnSignUp(ctx, tx, (await find(tx)).event, readReceiptCodes())
      return own && openReceipt(ctx, own)
    })
    return redirectWithCookies(buildReceiptPath(submission), code ? [buildReceiptCookie(ctx, code)] : [])
  }
  refuseHiddenField(values)
  const { code } = await signUp(ctx, find, {
    ...readSending(values, ctx.now()),
    name: readText(values['name']),
    email: readText(values['email']),
    remindByText: values['remindByText'] === 'yes',
    readAnswers: (event) => readSentAnswers(event, values),
    codes: readReceiptCodes(),
  })
  return redirectWithCookies(buildReceiptPath(submission), [buildReceiptCookie(ctx, code)])
})

/** The page of a receipt: looks a sign-up up by its code, or cancels the one that the browser holds. */
export const signUpReceiptForm = createFormHandler({ by: 'anyone' }, async (submission) => {
  const { ctx, values, params } = submission
  const find = (tx: Parameters<typeof requireEventAt>[1]) => requireEventAt(ctx, tx, toAddress(params))
  if (values['form'] === 'cancel') {
    const held = await ctx.db.read(async (tx) => findHeldReceipt(ctx, tx, (await find(tx)).event, readReceiptCodes()))
    if (!held) throw new AppError('not-found')
    await cancelSignUp(ctx, find, held.code)
    return redirectWithCookies(buildReceiptPath(submission))
  }
  const typed = readText(values['code'])
  if (!typed.trim()) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/code' }] })
  const code = parseReceiptCode(typed)
  if (!code) throw new AppError('invalid', { faults: [{ code: 'wrong-format', pointer: '/code' }] })
  await limitGuesses(ctx, limitGuessesByAddress(ctx, 'receipt', 20), async () => {
    const found = await ctx.db.read(async (tx) => findByReceipt(ctx, tx, (await find(tx)).event, code))
    if (!found) throw new AppError('invalid', { faults: [{ code: 'not-found', pointer: '/code' }] })
  })
  return redirectWithCookies(buildReceiptPath(submission), [buildReceiptCookie(ctx, code)])
})
