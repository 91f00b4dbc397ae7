import * as v from 'valibot'
import { createId, idSchema } from '#app/lib/uuid.ts'
import { requireBrowserToken } from '#app/server/auth/browser-token.ts'
import { createFormHandler, readText, redirectWithCookies } from '#app/server/forms.ts'
import { refuseHiddenField } from '#app/features/participation/sending.server.ts'
import { readNumber, TEXT_FORM } from '../../record/contribution-forms.server.ts'
import { findReportSubject } from './report-page.server.ts'
import { submitReport } from './submit-report.server.ts'

/** Reports a contribution, or the reply that the address names; then shows what happens next. */
export const reportForm = createFormHandler({ by: 'anyone', bounds: TEXT_FORM }, async ({ ctx, values, params, request }) => {
  refuseHiddenField(values)
  const { pathname, search } = new URL(request.url)
  const subject = await findReportSubject(ctx, {
    project: params['slug'] ?? '',
    activity: params['activity'] ?? '',
    number: readNumber(params['number']),
    reply: new URLSearchParams(search).get('reply') ?? undefined,
  })
  const id = v.safeParse(idSchema, values['id'])
  await submitReport(ctx, {
    ...subject,
    id: id.success ? id.output : createId(),
    rule: readText(values['rule']),
    words: readText(values['words']),
    browserToken: await requireBrowserToken(ctx),
  })
  return redirectWithCookies(`${pathname}${search}`)
})
