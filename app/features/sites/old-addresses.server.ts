import { redirect } from '@tanstack/react-router'
import { and, eq } from 'drizzle-orm'
import { isAppError } from '#app/lib/app-error.ts'
import { isSlug } from '#app/lib/slug.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { hubs, oldAddresses, pages, projects } from '#app/server/db/schema.ts'

const TABLES = { projects, hubs, pages } as const
const PAGE_ROUTES = { projects: '/projects/$slug', hubs: '/hubs/$slug', pages: '/pages/$slug' } as const
export type AddressedKind = keyof typeof TABLES

/** Remembers the address that a thing had until now, in the transaction that gives it another. */
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
  // Back at an address it had before: that is no old one any more.
  await tx.delete(oldAddresses).where(and(eq(oldAddresses.siteId, ctx.site.id), eq(oldAddresses.kind, kind), eq(oldAddresses.slug, next)))
}

/** Where a thing is now that had this address once; undefined where none had. Whether it may be seen is for the page there to say. */
async function findNewSlug(ctx: Ctx, kind: AddressedKind, slug: string): Promise<string | undefined> {
  if (!isSlug(slug)) return undefined
  const table = TABLES[kind]
  const [found] = await ctx.db.tx((tx) =>
    tx
      .select({ slug: table.slug })
      .from(oldAddresses)
      .innerJoin(table, and(eq(table.siteId, oldAddresses.siteId), eq(table.id, oldAddresses.targetId)))
      .where(and(eq(oldAddresses.siteId, ctx.site.id), eq(oldAddresses.kind, kind), eq(oldAddresses.slug, slug))),
  )
  return found?.slug === slug ? undefined : found?.slug
}

/** Reads what a page shows; where nothing is at its address any more, sends the reader on to where it is now. */
export async function redirectIfMoved<T>(ctx: Ctx, kind: AddressedKind, slug: string, read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (error) {
    const now = isAppError(error, 'not-found') ? await findNewSlug(ctx, kind, slug) : undefined
    if (now === undefined) throw error
    throw redirect({ to: PAGE_ROUTES[kind], params: { slug: now }, statusCode: 301 })
  }
}
