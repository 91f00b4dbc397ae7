import { decide } from '#app/features/permissions/permissions.policy.server.ts'
import { implementResource } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import { siteUrl } from '#app/server/site-url.ts'
import { fieldsOf } from './fields.ts'
import {
  type CallRow,
  createInstallation,
  deleteInstallation,
  type InstallationRow,
  installationsById,
  integrationsById,
  listCalls,
  listInstallations,
  listIntegrations,
  type TestOutcome,
  testInstallation,
  updateInstallation,
} from './installations.server.ts'
import { integrationOf } from './integrations/registry.server.ts'
import { installationCallShape, installationShape, installationTestShape, integrationShape } from './marketplace.api.schema.ts'
import type { ProviderFaultCode } from './marketplace.schema.ts'
import { secretsSet } from './settings.server.ts'

export const integrationResource = implementResource(integrationShape, {
  load: integrationsById,
  list: async (ctx, { page }) => {
    const all = await listIntegrations(ctx)
    return { rows: all.slice(page.offset, page.offset + page.limit), total: all.length }
  },
  attributes: (manifest, { language }) => ({
    name: typeof manifest.name === 'string' ? manifest.name : manifest.name[language],
    category: manifest.category,
    does: manifest.does[language],
    leaves: manifest.leaves.map((one) => one[language]),
    capabilities: [...manifest.capabilities],
    setUpAt: manifest.setUpAt ?? null,
    triedAt: manifest.triedAt ?? null,
    onPages: manifest.onPages ?? false,
    testing: manifest.testing?.[language] ?? null,
    fields: fieldsOf(manifest, language),
  }),
})

/** Where an installation's service tells what became of what it was given. */
function hookOf({ id, integration }: InstallationRow, ctx: Ctx): string | null {
  const { sms, mail } = integrationOf(integration) ?? {}
  if (mail?.tellsBy) return siteUrl(ctx, '/hooks/mail')
  return sms?.receive ? siteUrl(ctx, `/hooks/sms/${id}`) : null
}

export const installationResource = implementResource(installationShape, {
  load: installationsById,
  list: (ctx, { page }) => listInstallations(ctx, page),
  can: ({ viewer }) => ({ update: decide(viewer, 'marketplace.configure').ok }),
  lockVersion: (row) => row.lockVersion,
  attributes: (row, ctx) => ({
    integration: row.integration,
    settings: row.settings,
    secretsSet: secretsSet(ctx, row),
    enabled: row.enabledAt !== null,
    health: row.health,
    failures: row.failures,
    pausedUntil: row.pausedUntil,
    failingSince: row.failingSince,
    lastUsedAt: row.lastUsedAt,
    lastFault: row.lastFault as { code: ProviderFaultCode; at: string } | null,
    hookAddress: hookOf(row, ctx),
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
    outcome: row.outcome as 'ok' | ProviderFaultCode,
    status: row.status,
    milliseconds: row.milliseconds,
    note: row.note,
  }),
})
