import { getTranslation } from '#app/lib/translated.ts'
import { checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { ProviderFaultCode } from '#app/lib/vocabulary/marketplace.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { buildSettingFields } from './setting-fields.ts'
import {
  type CallRow,
  createInstallation,
  deleteInstallation,
  type InstallationRow,
  loadInstallationsById,
  findIntegrationsById,
  listCalls,
  listInstallations,
  listIntegrations,
  type TestOutcome,
  testInstallation,
  updateInstallation,
} from './installations.server.ts'
import { findIntegration, getIntegrationName } from './integrations/registry.server.ts'
import { installationCallShape, installationShape, installationTestShape, integrationShape } from './marketplace.api.schema.ts'
import { listSetSecrets } from './installation-settings.server.ts'

export const integrationResource = implementResource(integrationShape, {
  load: findIntegrationsById,
  list: async (ctx, { page }) => {
    const all = await listIntegrations(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: (manifest, { language }) => ({
    name: getIntegrationName(manifest.id, language),
    category: manifest.category,
    does: getTranslation(manifest.does, language),
    leaves: manifest.leaves.map((one) => getTranslation(one, language)),
    capabilities: [...manifest.capabilities],
    setUpAt: manifest.setUpAt ?? null,
    triedAt: manifest.triedAt ?? null,
    onPages: manifest.onPages ?? false,
    testing: manifest.testing ? getTranslation(manifest.testing, language) : null,
    fields: buildSettingFields(manifest, language),
  }),
})

/** Callback URL of an installation's service. */
function findHookUrl({ id, integration }: InstallationRow, ctx: Ctx): string | null {
  const { sms, mail } = findIntegration(integration) ?? {}
  if (mail?.findReportToken) return buildSiteUrl(ctx, '/hooks/mail')
  return sms?.receive ? buildSiteUrl(ctx, `/hooks/sms/${id}`) : null
}

export const installationResource = implementResource(installationShape, {
  load: loadInstallationsById,
  list: (ctx, { page }) => listInstallations(ctx, page),
  can: ({ viewer }) => ({ update: checkPermission(viewer, 'marketplace.configure').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row, ctx) => ({
    integration: row.integration,
    settings: row.settings,
    secretsSet: listSetSecrets(ctx, row),
    enabled: row.enabledAt !== null,
    health: row.health,
    failures: row.failures,
    pausedUntil: row.pausedUntil,
    failingSince: row.failingSince,
    lastUsedAt: row.lastUsedAt,
    lastFault: row.lastFault as { code: ProviderFaultCode; at: string } | null,
    hookAddress: findHookUrl(row, ctx),
    createdAt: row.createdAt,
  }),
  create: createInstallation,
  update: (ctx, row, input, lock) => updateInstallation(ctx, row, input, lock.version),
  remove: deleteInstallation,
})

export const installationTestResource = implementResource(installationTestShape, {
  create: async (ctx, { installation }): Promise<TestOutcome & { installation: string }> => ({
    ...(await testInstallation(ctx, installation)),
    installation,
  }),
  attributes: ({ at, fault }) => ({ at, fault }),
  relationships: { installation: { id: ({ installation }) => installation } },
})

export const installationCallResource = implementResource(installationCallShape, {
  list: (ctx, { filter, page }) => listCalls(ctx, { installation: filter.installation, ...page }),
  attributes: (row: CallRow) => ({
    at: row.at,
    operation: row.operation,
    target: row.target,
    outcome: row.outcome,
    status: row.status,
    milliseconds: row.milliseconds,
    note: row.note,
  }),
})
