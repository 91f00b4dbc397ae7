import { and, eq } from 'drizzle-orm'
import { isId } from '#app/lib/uuid.ts'
import type { Ctx } from '#app/server/context.ts'
import { identityProviders } from '#app/server/db/schema/identity.ts'
import type { ProviderRow } from './providers.server.ts'
import { SignInFault } from './sign-in-fault.server.ts'

/** The provider, if this person may use it now. @throws {SignInFault} `not-active` */
export async function requireProvider(ctx: Ctx, id: string): Promise<ProviderRow> {
  const row = isId(id) ? await loadProvider(ctx, id) : undefined
  if (!row || (row.state !== 'active' && row.state !== 'testing')) throw new SignInFault('not-active', 'no such provider here')
  return row
}

/** In any state: the provider's operator registers the site before it is tested. */
export async function findSamlProvider(ctx: Ctx, id: string): Promise<ProviderRow | undefined> {
  const row = isId(id) ? await loadProvider(ctx, id) : undefined
  return row?.protocol === 'saml' ? row : undefined
}

/** In any state. */
export const isOwnProvider = async (ctx: Ctx, id: string): Promise<boolean> => isId(id) && (await loadProvider(ctx, id)) !== undefined

async function loadProvider(ctx: Ctx, id: string): Promise<ProviderRow | undefined> {
  const [row] = await ctx.db.read((tx) =>
    tx
      .select()
      .from(identityProviders)
      .where(and(eq(identityProviders.siteId, ctx.site.id), eq(identityProviders.id, id))),
  )
  return row
}
