import { readHookBody } from '#app/server/bounded-body.ts'
import type { Ctx } from '#app/server/context.ts'
import { readDeliveryReport } from '#app/server/mail/delivery-report.ts'
import { recordReturnedMail } from '#app/server/mail/record-returned-mail.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { isBearer } from './bearer-token.server.ts'
import { loadEnabledInstallations } from './installations.server.ts'
import { openSettings } from './installation-settings.server.ts'

/** Reports quote the mail they are about. */
const MAX_REPORT_BYTES = 2_000_000

/**
 * Where mail servers post mails that came back, each whole and as it came (RFC 3464), with a token: the one of the mail server that this site
 * installed, which is believed of this site's mails alone, or the installation's own. Whatever else comes to such an address, as answers of
 * people who are away, is taken and changes nothing.
 */
export async function receiveMailReport({ context: { ctx }, request }: { context: RequestContext; request: Request }): Promise<Response> {
  const from = await findReporter(ctx, request.headers.get('authorization'))
  if (!from) return new Response(null, { status: 403 })
  const raw = await readHookBody(request, MAX_REPORT_BYTES)
  if (raw instanceof Response) return raw
  const report = await readDeliveryReport(raw)
  if (report) await recordReturnedMail(ctx.runtime, report, from.siteId)
  return new Response(null, { status: 204, headers: { 'cache-control': 'no-store' } })
}

/** @returns of which site it is believed, all of them for the installation's own; undefined for nobody who is known */
async function findReporter(ctx: Ctx, header: string | null): Promise<{ siteId: string | undefined } | undefined> {
  const { MAIL_REPORT_TOKEN } = ctx.runtime.env
  if (MAIL_REPORT_TOKEN && isBearer(header, MAIL_REPORT_TOKEN)) return { siteId: undefined }
  for (const { row, integration } of await loadEnabledInstallations(ctx, 'send-mail')) {
    const token = integration.mail?.findReportToken?.(openSettings(ctx, row))
    if (token && isBearer(header, token)) return { siteId: ctx.site.id }
  }
  return undefined
}
