import { and, eq, isNotNull, lt, or, isNull } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { requireConfigurePermission } from '#app/features/marketplace/installations.server.ts'
import { requireReachableUrl } from '#app/features/marketplace/public-destinations.server.ts'
import { AppError } from '#app/lib/app-error.ts'
import type { ProviderProtocol } from '#app/lib/vocabulary/identity.ts'
import type { Ctx } from '#app/server/context.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import { describeError } from '#app/server/log.ts'
import { type DescribedProvider, fetchMetadata } from './read-metadata.server.ts'

const DAY_MS = 86_400_000

interface NamesMetadata extends Partial<DescribedProvider> {
  metadataAddress?: string | null | undefined
}

/**
 * What an administrator entered, with what the metadata says at the address that they gave.
 * @throws {AppError} `forbidden`; `invalid` at `/metadataAddress`: `not-public`, `not-encrypted`, or `metadata-unreadable` if it does not
 * describe one provider
 */
export async function readNamedMetadata<Input extends { [Name in keyof NamesMetadata]?: NamesMetadata[Name] | null | undefined }>(
  ctx: Ctx,
  protocol: ProviderProtocol,
  input: Input,
): Promise<Input & Partial<DescribedProvider>> {
  const { metadataAddress: address } = input
  if (protocol !== 'saml' || !address) return input as Input & Partial<DescribedProvider>
  requireConfigurePermission(ctx)
  await requireReachableUrl(ctx, address, '/metadataAddress')
  try {
    return { ...input, ...(await fetchMetadata(ctx, address, ctx.now())) }
  } catch (error) {
    ctx.runtime.log.info('metadata of a provider was not read', describeError(error))
    throw new AppError('invalid', { faults: [{ code: 'metadata-unreadable', pointer: '/metadataAddress' }] })
  }
}

/** Notes that a provider's metadata was just read. */
export const noteMetadataRead = (ctx: Ctx, id: string): Promise<void> =>
  ctx.db.tx(async (tx) => {
    await tx
      .update(identityProviders)
      .set({ metadataReadAt: ctx.now(), metadataFailed: false })
      .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, id)))
  })

/**
 * Reads the metadata of the site's active providers again, each once a day: so a provider's new certificate is known before it signs with it.
 * Another issuer is never taken over, and while an address cannot be read everything stays as it was.
 */
export async function refreshMetadata(ctx: Ctx): Promise<void> {
  const before = new Date(ctx.now().getTime() - DAY_MS)
  const due = await ctx.db.read((tx) =>
    tx
      .select({ id: identityProviders.id, address: identityProviders.metadataAddress })
      .from(identityProviders)
      .where(
        and(
          eq(identityProviders.siteId, ctx.site.id),
          eq(identityProviders.protocol, 'saml'),
          eq(identityProviders.state, 'active'),
          isNotNull(identityProviders.metadataAddress),
          or(isNull(identityProviders.metadataReadAt), lt(identityProviders.metadataReadAt, before)),
        ),
      ),
  )
  for (const { id, address } of due) if (address) await refreshProvider(ctx, id, address)
}

/** People are sent to the address that it names. */
async function fetchUsableMetadata(ctx: Ctx, address: string): Promise<DescribedProvider> {
  const described = await fetchMetadata(ctx, address, ctx.now())
  await requireReachableUrl(ctx, described.ssoUrl, '/ssoUrl')
  return described
}

async function refreshProvider(ctx: Ctx, id: string, address: string): Promise<void> {
  const described = await fetchUsableMetadata(ctx, address).catch((error: unknown) => {
    ctx.runtime.log.warn('metadata of a provider was not read', { provider: id, ...describeError(error) })
    return undefined
  })
  const own = and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, id))
  await ctx.db.tx(async (tx) => {
    const [row] = await tx.select().from(identityProviders).where(own).for('update')
    if (row?.metadataAddress !== address) return
    if (described?.issuer !== row.issuer) return void (await tx.update(identityProviders).set({ metadataFailed: true }).where(own))
    const { ssoUrl, certificates } = described
    const changes = listChanges(row, { ssoUrl, certificates })
    await tx.update(identityProviders).set({ ssoUrl, certificates, metadataReadAt: ctx.now(), metadataFailed: false }).where(own)
    if (Object.keys(changes).length === 0) return
    const subject = { type: 'identity-providers', id }
    await recordAudit(ctx, tx, { action: 'identity-providers.update', subject, changes, detail: { name: row.name, by: 'metadata' } })
  })
}
