import { readInvitation } from '#app/features/invitations/invitation-cookies.server.ts'
import { buildInvitationCookie } from '#app/features/invitations/invitation-cookies.server.ts'
import { parseLocalPath } from '#app/lib/local-path.ts'
import { ELIGIBILITY_FIELDS } from '#app/lib/vocabulary/verifications.ts'
import { requireBrowserToken } from '#app/server/auth/browser-token.ts'
import type { Ctx } from '#app/server/context.ts'
import { createFormHandler, type FormValues, seeOther, readText } from '#app/server/forms.ts'
import { endOwnVerification, verifyByList } from './verifications.server.ts'
import type { NewVerification, Prover } from './store-verification.server.ts'
import { verifyByCode } from './verify-by-code.server.ts'
import { verifyByPostcode } from './verify-by-postcode.server.ts'
import { sendVerificationText, verifyByText } from './verify-by-text.server.ts'

const readFields = (values: FormValues) => Object.fromEntries(ELIGIBILITY_FIELDS.map((field) => [field, readText(values[field])]))

function verifyBySentForm(ctx: Ctx, values: FormValues, prover: Prover): Promise<NewVerification> {
  const form = readText(values['form'])
  switch (form) {
    case 'code':
      return verifyByCode(ctx, { code: readText(values['code']), ...prover })
    case 'texted-code':
      return verifyByText(ctx, { textId: readText(values['text']), code: readText(values['code']), ...prover })
    case 'postcode':
      return verifyByPostcode(ctx, { postcode: readText(values['postcode']), ...prover })
    default:
      return verifyByList(ctx, { listId: form, fields: readFields(values), ...prover })
  }
}

/** The forms of `/verify`: one for each list and each other way, after which the page says what was accepted and leads back to where they came from, and ending a verification. */
export const verifyForm = createFormHandler({ by: 'anyone' }, async ({ ctx, values, request, path }) => {
  const next = parseLocalPath(new URL(request.url).searchParams.get('next'))
  const verifyPath = next ? `${path('/verify')}?${new URLSearchParams({ next })}` : path('/verify')
  const secret = readInvitation(ctx.site.id)
  if (values['end'] !== undefined) {
    await endOwnVerification(ctx, readText(values['end']), secret)
    return verifyPath
  }
  const prover = { browserToken: await requireBrowserToken(ctx), secret }
  const headers = new Headers({ 'cache-control': 'private, no-store' })
  if (values['form'] === 'text') {
    const { id } = await sendVerificationText(ctx, { phone: readText(values['phone']), ...prover })
    return seeOther(`${path('/verify')}?${new URLSearchParams({ ...(next && { next }), text: id })}`, headers)
  }
  const verified = await verifyBySentForm(ctx, values, prover)
  if (verified.secret) headers.append('set-cookie', buildInvitationCookie(ctx, ctx.site.id, verified.secret))
  return seeOther(verifyPath, headers)
})
