import { and, asc, eq } from 'drizzle-orm'
import { loadUsedIntegrations } from '#app/features/marketplace/installations.server.ts'
import { findIntegration, getIntegrationName } from '#app/features/marketplace/integrations/registry.server.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { ProcessorList } from './processors.schema.ts'

type Processor = ProcessorList['processors'][number]

/**
 * Who gets data from this site, and which: every service that is connected to it now, whether its administrators or those of the platform
 * connected it. In the language of the request; public.
 */
export async function listProcessors(ctx: Ctx): Promise<ProcessorList> {
  const t = getTranslator(ctx.language, 'privacy')
  const { env } = ctx.runtime
  const used = await loadUsedIntegrations(ctx)
  const processors = used.map(({ integration, row }) => {
    const name = getIntegrationName(integration.manifest.id, ctx.language)
    const service = integration.translator?.getName(row.settings)
    return describeProcessor(ctx, integration.manifest.id, service ? `${name} (${service})` : name)
  })
  const ofPlatform = [
    { id: 'smtp', isSet: env.SMTP_URL !== undefined, name: t('processors.mail') },
    { id: 'segment', isSet: env.SEGMENT_WRITE_KEY !== undefined },
    { id: 'intercom', isSet: env.INTERCOM_APP_ID !== undefined },
    { id: 'sentry', isSet: env.SENTRY_DSN !== undefined },
  ]
    .filter(({ id, isSet }) => isSet && !used.some(({ integration }) => integration.manifest.id === id))
    .map(({ id, name }) => describeProcessor(ctx, id, name ?? getIntegrationName(id, ctx.language)))
  const providers = await ctx.db.read((tx) =>
    tx
      .select({ name: identityProviders.name })
      .from(identityProviders)
      .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.state, 'active')))
      .orderBy(asc(identityProviders.createdAt), asc(identityProviders.id)),
  )
  const all = [...processors, ...ofPlatform, ...providers.map(({ name }) => describeProcessor(ctx, 'openid-connect', name))]
  const listed = all.filter(({ receives }) => receives.length > 0)
  return { title: t('processors.title'), text: t(listed.length > 0 ? 'processors.text' : 'processors.none'), processors: listed }
}

const describeProcessor = ({ language }: Ctx, integration: string, name: string): Processor => ({
  name,
  receives: (findIntegration(integration)?.manifest.leaves ?? []).map((one) => getTranslation(one, language)),
})
