import { and, count, eq, isNotNull } from 'drizzle-orm'
import { canSendSms } from '#app/features/marketplace/installations.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { appearanceRevisions } from '#app/server/db/schema/homepage.ts'
import type { LibrariesDetails, PublicConfig } from './libraries.schema.ts'
import { loadThirdParties } from './third-parties.server.ts'

/** Settings of the third-party libraries that a page may load. */
export async function readLibrariesDetails(ctx: Ctx): Promise<LibrariesDetails> {
  const { INTERCOM_APP_ID: appId, INTERCOM_ENDPOINT: endpoint = null } = await loadThirdParties(ctx)
  if (!appId) return { intercom: null }
  const intercom = {
    appId,
    endpoint,
    publishedAppearanceRevisions: await countPublishedRevisions(ctx),
    smsIntegrationEnabled: await canSendSms(ctx),
  }
  return { intercom }
}

export async function readPublicConfig(ctx: Ctx): Promise<PublicConfig> {
  const {
    SEGMENT_WRITE_KEY: writeKey,
    SEGMENT_ENDPOINT: endpoint = null,
    SEGMENT_API_HOST: apiHost = null,
    SENTRY_DSN: dsn,
    SENTRY_ENDPOINT: tunnel = null,
  } = await loadThirdParties(ctx)
  const { API_ENDPOINT: apiEndpoint = null } = ctx.runtime.env
  return { segment: writeKey ? { writeKey, endpoint, apiHost } : null, sentry: dsn ? { dsn, tunnel } : null, apiEndpoint }
}

function countPublishedRevisions(ctx: Ctx): Promise<number> {
  return ctx.db.read(async (tx) => {
    const published = and(eq(appearanceRevisions.siteId, ctx.site.id), isNotNull(appearanceRevisions.publishedAt))
    const [row] = await tx.select({ total: count() }).from(appearanceRevisions).where(published)
    return row?.total ?? 0
  })
}
