import { and, eq, isNotNull } from 'drizzle-orm'
import { type Ctx, createCtx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { type MailTransport, NotTaken } from '#app/server/mail/mail-transport.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { createService } from './service-calls.server.ts'
import { checkCircuitBreaker } from './circuit-breaker.ts'
import { loadEnabledInstallations } from './installations.server.ts'
import { ProviderFault } from './integrations/integration.server.ts'

/** True if the site can send email, by its own server or the installation's. */
export const canSendMail = async (ctx: Ctx): Promise<boolean> =>
  ctx.runtime.env.SMTP_URL !== undefined || (await loadEnabledInstallations(ctx, 'send-mail')).length > 0

/** The site's own mail server, if it is enabled and not paused. */
export async function findSiteMailTransport(runtime: Runtime, siteId: string): Promise<MailTransport | undefined> {
  // Cheap check first: this runs for every site every few seconds, and few have a server.
  const [any] = await runtime.database.site(siteId).read((tx) =>
    tx
      .select({ id: installations.id })
      .from(installations)
      .where(and(eq(installations.siteId, siteId), eq(installations.integration, 'smtp'), isNotNull(installations.enabledAt))),
  )
  const site = any && (await runtime.sites.loadActive()).find(({ id }) => id === siteId)
  if (!site) return undefined
  const ctx = createCtx(runtime, site)
  const [enabled] = await loadEnabledInstallations(ctx, 'send-mail')
  const { row, integration: { mail: carrier } = {} } = enabled ?? {}
  if (!row || !carrier || !checkCircuitBreaker(row, runtime.now()).ok) return undefined
  return {
    sendMail: async (mail) => {
      try {
        await carrier.send(createService(ctx, row), mail)
      } catch (error) {
        if (!(error instanceof ProviderFault)) throw error
        const cause = error.cause ?? error
        // The outbox handles refused recipients, and an email that may have been accepted must not be sent by another server.
        if (error.unsure || error.code === 'message-refused') throw cause
        throw new NotTaken(error.message, { cause })
      }
    },
  }
}
