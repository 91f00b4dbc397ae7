import { and, eq, inArray, isNotNull } from 'drizzle-orm'
import type { Ctx } from '#app/server/context.ts'
import { installations } from '#app/server/db/schema/marketplace.ts'
import { readSiteWide } from '#app/server/public-reads.ts'
import type { Env } from '#app/server/env.ts'

/** Settings of third-party services on pages, named like the installation's environment variables. */
export interface ThirdParties extends Pick<
  Env,
  'SENTRY_DSN' | 'SENTRY_ENDPOINT' | 'SEGMENT_WRITE_KEY' | 'SEGMENT_ENDPOINT' | 'INTERCOM_APP_ID' | 'INTERCOM_ENDPOINT'
> {
  /** Segment's regional API host, if not the default. */
  SEGMENT_API_HOST?: string | undefined
}

const SEGMENT_HOSTS: Record<string, string> = { eu: 'events.eu1.segmentapis.com' }
const INTERCOM_HOSTS: Record<string, string> = { eu: 'https://api-iam.eu.intercom.io', au: 'https://api-iam.au.intercom.io' }

/**
 * Third-party settings for the site's pages: the site's own from the marketplace if enabled, otherwise the installation's. A site can
 * choose keys and regions but no script URLs, because scripts run for every visitor.
 */
export async function loadThirdParties(ctx: Ctx): Promise<ThirdParties> {
  return buildThirdParties(ctx, await readSiteWide(ctx, ['third-parties'], selectThirdParties))
}

interface InstalledService {
  integration: string
  settings: Record<string, unknown>
}

const selectThirdParties = (ctx: Ctx): Promise<InstalledService[]> =>
  ctx.db.read((tx) =>
    tx
      .select({ integration: installations.integration, settings: installations.settings })
      .from(installations)
      .where(
        and(
          eq(installations.siteId, ctx.site.id),
          isNotNull(installations.enabledAt),
          inArray(installations.integration, ['segment', 'intercom', 'sentry']),
        ),
      ),
  )

function buildThirdParties(ctx: Ctx, rows: readonly InstalledService[]): ThirdParties {
  const { SENTRY_DSN, SENTRY_ENDPOINT, SEGMENT_WRITE_KEY, SEGMENT_ENDPOINT, INTERCOM_APP_ID, INTERCOM_ENDPOINT } = ctx.runtime.env
  const own = new Map(rows.map(({ integration, settings }) => [integration, settings]))
  const [segment, intercom, sentry] = [own.get('segment'), own.get('intercom'), own.get('sentry')]
  return {
    ...(sentry ? { SENTRY_DSN: String(sentry['dsn']) } : { SENTRY_DSN, SENTRY_ENDPOINT }),
    SEGMENT_WRITE_KEY: segment ? String(segment['writeKey']) : SEGMENT_WRITE_KEY,
    SEGMENT_ENDPOINT,
    SEGMENT_API_HOST: segment && SEGMENT_HOSTS[String(segment['region'])],
    INTERCOM_APP_ID: intercom ? String(intercom['appId']) : INTERCOM_APP_ID,
    INTERCOM_ENDPOINT: (intercom && INTERCOM_HOSTS[String(intercom['region'])]) ?? INTERCOM_ENDPOINT,
  }
}
