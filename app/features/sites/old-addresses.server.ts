import { redirect } from '@tanstack/react-router'
import { and, eq } from 'drizzle-orm'
import { isAppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { oldAddresses, pages } from '#app/server/db/schema/pages.ts'
import { hubs, projects } from '#app/server/db/schema/projects.ts'

const TABLES = { projects, hubs, pages } as const
const PAGE_ROUTES = { projects: '/projects/$slug', hubs: '/hubs/$slug', pages: '/pages/$slug' } as const
export type AddressedKind = keyof typeof TABLES

/** Stores a former address in the same transaction that assigns the new one. */
export async function storeOldAddress(
  ctx: Ctx,
  tx: Tx,
  kind: AddressedKind,
  row: { id: string; slug: string },
  next: string | undefined,
): Promise<void> {
  if (next === undefined || next === row.slug) return
  const old = { siteId: ctx.site.id, kind, slug: row.slug, targetId: row.id, createdAt: ctx.now() }
  await tx
    .insert(oldAddresses)
    .values(old)
    .onConflictDoUpdate({
      target: [oldAddresses.siteId, oldAddresses.kind, oldAddresses.slug],
      set: { targetId: row.id, createdAt: old.createdAt },
    })
  // Back at a former address, which is therefore current again.
  await tx.delete(oldAddresses).where(and(eq(oldAddresses.siteId, ctx.site.id), eq(oldAddresses.kind, kind), eq(oldAddresses.slug, next)))
}

/** The current slug of something that once had this one. Whether the viewer may see it is checked by the page there. */
async function findNewSlug(ctx: Ctx, kind: AddressedKind, slug: string): Promise<string | undefined> {
  if (!isSlug(slug)) return undefined
  const table = TABLES[kind]
  const [found] = await ctx.db.read((tx) =>
    tx
      .select({ slug: table.slug })
      .from(oldAddresses)
      .innerJoin(table, and(eq(table.siteId, oldAddresses.siteId), eq(table.id, oldAddresses.targetId)))
      .where(and(eq(oldAddresses.siteId, ctx.site.id), eq(oldAddresses.kind, kind), eq(oldAddresses.slug, slug))),
  )
  return found?.slug === slug ? undefined : found?.slug
}

/** Reads what a page shows; if there is nothing at its address any more, redirects to the current one. */
export async function redirectIfMoved<T>(ctx: Ctx, kind: AddressedKind, slug: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const now = isAppError(error, 'not-found') ? await findNewSlug(ctx, kind, slug) : undefined
    if (now === undefined) throw error
    throw redirect({ to: PAGE_ROUTES[kind], params: { slug: now }, statusCode: 301 })
  }
}
