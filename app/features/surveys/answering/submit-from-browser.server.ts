import { getCookie } from '@tanstack/react-start/server'
import { buildInvitationCookie, buildInvitationCookieName } from '#app/features/invitations/invitation-cookies.server.ts'
import { requireBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { submitChange } from '../responses/edit-response.server.ts'
import { submitResponse, type Receipt, type ResponseInput } from '../responses/submit-response.server.ts'
import { findForVisitors } from '../surveys.policy.server.ts'
import { requireSurveyAt } from '../surveys.server.ts'
import { buildReceiptCookie } from '#app/features/participation/receipt-cookies.server.ts'
import { buildExpiredDraftCookie } from './answer-cookies.server.ts'

interface SubmittedFromBrowser {
  receipt: Omit<Receipt, 'code'> & { code: string | null }
  /** `Set-Cookie` headers: the receipt, and the finished draft taken away. */
  cookies: string[]
}

/**
 * Stores what a browser sends to a survey, with the credentials in its cookies.
 * @throws {AppError} as `submitResponse`; `press-again` if the survey has to recognise the browser and cannot yet
 */
export async function submitFromBrowser(
  ctx: Ctx,
  address: { project: string; survey: string },
  sent: Pick<ResponseInput, 'id' | 'sendKey' | 'version' | 'answers' | 'over'>,
): Promise<SubmittedFromBrowser> {
  const find = (tx: Tx, reader = ctx) => requireSurveyAt(reader, tx, address)
  // Only a survey that accepts one answer per browser needs to recognise it.
  const place = `${address.project}/${address.survey}`
  const { survey } = await (ctx.viewer.kind === 'visitor' ? findForVisitors(ctx, place, find) : ctx.db.read(find))
  const browserToken = survey.access === 'anyone_once' ? await requireBrowserToken(ctx) : undefined
  const input = { ...sent, isKeptForm: true, browserToken, invitation: (ownerId: string) => getCookie(buildInvitationCookieName(ownerId)) }
  const receipt = (await submitChange(ctx, find, input)) ?? (await submitResponse(ctx, find, input, place))
  const { surveyId } = receipt.response
  const invitation = getCookie(buildInvitationCookieName(surveyId))
  return {
    receipt,
    cookies: [
      ...(receipt.code ? [buildReceiptCookie(ctx, receipt.code)] : []),
      buildExpiredDraftCookie(ctx, surveyId),
      ...(invitation ? [buildInvitationCookie(ctx, surveyId, invitation, true)] : []),
    ],
  }
}
