import { recordRefusal } from '../features/audit/audit.server.ts'
import { startPasskeySetup, startPasskeyUse } from '../features/accounts/second-step/second-step.functions.ts'
import { askTranslation } from '../features/contributions/translating/translations.functions.ts'
import { readPreviewData } from '../features/homepage/homepage.preview.functions.ts'
import { keepAnswers } from '../features/surveys/answering/answering.functions.ts'
import { sendPollAnswer } from '../features/surveys/poll/poll.functions.ts'
import { AppError } from '../lib/app-error.ts'
import type { Ctx } from '../server/context.ts'
import { ensureBrowserToken } from '../shell/browser-token.functions.ts'

/** Calls that need no account: a token for the browser, saving answers, opening a preview by its link, having a text translated, and signing in with a passkey. */
const FOR_ANYONE: ReadonlySet<string> = new Set([
  askTranslation.url,
  ensureBrowserToken.url,
  keepAnswers.url,
  readPreviewData.url,
  sendPollAnswer.url,
  startPasskeyUse.url,
])

/** Calls for everybody with an account. */
const FOR_ACCOUNTS: ReadonlySet<string> = new Set([startPasskeySetup.url])

/**
 * Authorises a server function call that has a body, before the body is read: all are for administrators, except those listed above. Each
 * function's own policy then decides what this administrator may do.
 * @throws {AppError} `unauthenticated`, `forbidden`
 */
export async function authoriseCall(ctx: Ctx, pathname: string): Promise<void> {
  if (FOR_ANYONE.has(pathname)) return
  if (ctx.viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (ctx.viewer.type === 'administrator' || FOR_ACCOUNTS.has(pathname)) return
  await recordRefusal(ctx, { method: 'POST', path: pathname })
  throw new AppError('forbidden')
}
