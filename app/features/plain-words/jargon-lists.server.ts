import { and, eq } from 'drizzle-orm'
import { v5 } from 'uuid'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { isAdministrator, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import { normaliseText } from '#app/lib/normalise-text.ts'
import { DEFAULT_JARGON } from '#app/lib/plain-words/default-jargon.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { jargonLists } from '#app/server/db/schema/plain-words.ts'
import { type jargonListShape, MAX_ENTRIES, MAX_ENTRY_LENGTH } from './jargon-lists.api.schema.ts'

type JargonListRow = typeof jargonLists.$inferSelect

/** One list for each language of the site; those nobody has changed are the default ones, with the ids they get when they are stored. */
export async function loadSiteJargon({ site }: Ctx, tx: Tx): Promise<JargonListRow[]> {
  const rows = await tx.select().from(jargonLists).where(eq(jargonLists.siteId, site.id))
  return site.languages.map(
    (language) =>
      rows.find((row) => row.language === language) ?? {
        siteId: site.id,
        id: v5(`jargon-lists/${language}`, site.id),
        language,
        entries: [...(DEFAULT_JARGON[language] ?? [])],
        lockVersion: 1,
        updatedAt: new Date(0),
      },
  )
}

const readLists = (ctx: Ctx): Promise<JargonListRow[]> =>
  isAdministrator(ctx.viewer) ? ctx.db.read((tx) => loadSiteJargon(ctx, tx)) : Promise.resolve([])

export const loadJargonLists = async (ctx: Ctx, ids: readonly string[]): Promise<JargonListRow[]> =>
  (await readLists(ctx)).filter(({ id }) => ids.includes(id))

export async function listJargonLists(ctx: Ctx, { page }: ListQuery<typeof jargonListShape>): Promise<ListResult<JargonListRow>> {
  const rows = await readLists(ctx)
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

/** @throws {AppError} `forbidden`, `invalid`, `stale` */
export async function updateJargonList(
  ctx: Ctx,
  row: JargonListRow,
  input: UpdateInput<typeof jargonListShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'site.edit')
  const entries = readEntries(input.entries ?? row.entries)
  const { siteId, id, language } = row
  await ctx.db.tx(async (tx) => {
    await tx.insert(jargonLists).values({ siteId, id, language, entries: row.entries }).onConflictDoNothing()
    const changed = await tx
      .update(jargonLists)
      .set({ entries, lockVersion: lockVersion + 1, updatedAt: ctx.now() })
      .where(and(eq(jargonLists.siteId, siteId), eq(jargonLists.id, id), eq(jargonLists.lockVersion, lockVersion)))
      .returning({ id: jargonLists.id })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'jargon-lists.update',
      subject: { type: 'jargon-lists', id },
      detail: { language, entries: entries.length },
    })
  })
}

/** Each entry once. One letter alone would be found everywhere. */
function readEntries(typed: readonly string[]): string[] {
  const pointer = '/entries'
  const written = typed.map((entry) => entry.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const entries = [...new Map(written.toReversed().map((entry) => [normaliseText(entry), entry])).values()].toReversed()
  const faults: Fault[] = [
    ...(entries.length > MAX_ENTRIES ? [{ code: 'too-many' as const, pointer, values: { max: MAX_ENTRIES } }] : []),
    ...(entries.some((entry) => (normaliseText(entry).match(/[\p{L}\p{N}]/gu)?.length ?? 0) < 2)
      ? [{ code: 'too-short' as const, pointer, values: { min: 2 } }]
      : []),
    ...(entries.some((entry) => entry.length > MAX_ENTRY_LENGTH)
      ? [{ code: 'too-long' as const, pointer, values: { max: MAX_ENTRY_LENGTH } }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return entries
}
