import { readHookBody } from '#app/server/bounded-body.ts'
import type { Ctx } from '#app/server/context.ts'
import { readDeliveryReport } from '#app/server/mail/delivery-report.ts'
import { recordReturnedMail } from '#app/server/mail/record-returned-mail.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { isBearer } from './bearer-token.server.ts'
import { loadEnabledInstallations } from './installations.server.ts'
import { openSettings } from './installation-settings.server.ts'

/** Large, because reports quote the original email. */
export const MAX_REPORT_BYTES = 2_000_000

/**
 * Endpoint where mail servers post bounced emails, complete and unmodified (RFC 3464). Authenticated by a token: that of the site's own
 * mail server, which is trusted for this site's emails only, or the installation's. Anything else sent there, such as automatic replies, is
 * accepted and ignored.
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

/** @returns the site it is trusted for, or undefined `siteId` for all sites; undefined if the token is unknown */
async function findReporter(ctx: Ctx, header: string | null): Promise<{ siteId: string | undefined } | undefined> {
  const { MAIL_REPORT_TOKEN } = ctx.runtime.env
  if (MAIL_REPORT_TOKEN && isBearer(header, MAIL_REPORT_TOKEN)) return { siteId: undefined }
  for (const { row, integration } of await loadEnabledInstallations(ctx, 'send-mail')) {
    const token = integration.mail?.findReportToken?.(openSettings(ctx, row))
    if (token && isBearer(header, token)) return { siteId: ctx.site.id }
  }
  return undefined
}
