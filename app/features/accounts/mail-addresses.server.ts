import { and, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { requirePermission, checkPermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { Ctx } from '#app/server/context.ts'
import { mailAddresses } from '#app/server/db/schema/mail.ts'

export type MailAddressRow = typeof mailAddresses.$inferSelect

/** Addresses with delivery failures, stopped ones first. For site editors. @throws {AppError} `forbidden` */
export async function listMailAddresses(
  ctx: Ctx,
  page: { offset: number; limit: number },
): Promise<{ rows: MailAddressRow[]; total: number }> {
  requirePermission(ctx, 'site.edit')
  const own = eq(mailAddresses.siteId, ctx.site.id)
  return ctx.db.read(async (tx) => {
    const [counted] = await tx.select({ total: count() }).from(mailAddresses).where(own)
    const rows = await tx
      .select()
      .from(mailAddresses)
      .where(own)
      .orderBy(sql`${mailAddresses.bouncedAt} is null`, desc(mailAddresses.updatedAt), desc(mailAddresses.id))
      .limit(page.limit)
      .offset(page.offset)
    return { rows, total: counted?.total ?? 0 }
  })
}

export async function loadMailAddressesById(ctx: Ctx, ids: readonly string[]): Promise<MailAddressRow[]> {
  if (!checkPermission(ctx.viewer, 'site.edit').ok) return []
  return ctx.db.read((tx) =>
    tx
      .select()
      .from(mailAddresses)
      .where(and(eq(mailAddresses.siteId, ctx.site.id), inArray(mailAddresses.id, [...ids]))),
  )
}

/** Clears an address's failures, so that it gets mail again. @throws {AppError} `forbidden` */
export async function forgetMailAddress(ctx: Ctx, { id, address }: MailAddressRow): Promise<void> {
  requirePermission(ctx, 'site.edit')
  await ctx.db.tx(async (tx) => {
    await tx.delete(mailAddresses).where(and(eq(mailAddresses.siteId, ctx.site.id), eq(mailAddresses.id, id)))
    await recordAudit(ctx, tx, {
      action: 'mail-addresses.delete',
      subject: { type: 'mail-addresses', id },
      detail: { domain: address.split('@').at(-1) },
    })
  })
}
