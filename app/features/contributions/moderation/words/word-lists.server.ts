import { and, eq } from 'drizzle-orm'
import { v5 } from 'uuid'
import { recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError, type Fault } from '#app/lib/app-error.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationWordLists } from '#app/server/db/schema/moderation.ts'
import { DEFAULT_WORDS } from './default-words.ts'
import { createWordMatcher, splitIntoWords, type WordEffect } from './match-words.ts'
import { MAX_ENTRIES, MAX_ENTRY_LENGTH, type wordListShape } from './word-lists.api.schema.ts'

export type WordListRow = typeof moderationWordLists.$inferSelect

/** One list for each language of the site; those nobody has changed are the default ones, with the ids they get when they are stored. */
async function loadSiteLists({ site }: Ctx, tx: Tx): Promise<WordListRow[]> {
  const rows = await tx.select().from(moderationWordLists).where(eq(moderationWordLists.siteId, site.id))
  return site.languages.map(
    (language) =>
      rows.find((row) => row.language === language) ?? {
        siteId: site.id,
        id: v5(`moderation-word-lists/${language}`, site.id),
        language,
        held: [...DEFAULT_WORDS[language].held],
        flagged: [...DEFAULT_WORDS[language].flagged],
        lockVersion: 1,
        updatedAt: new Date(0),
      },
  )
}

/** Looks in texts for what is listed in any language of the site: people do not always write in the language of the page. */
export async function findWordEffect(ctx: Ctx, tx: Tx, texts: readonly string[]): Promise<WordEffect | undefined> {
  return createWordMatcher(await loadSiteLists(ctx, tx))(texts)
}

const readLists = (ctx: Ctx): Promise<WordListRow[]> =>
  checkPermission(ctx.viewer, 'moderation.rules').ok ? ctx.db.read((tx) => loadSiteLists(ctx, tx)) : Promise.resolve([])

export const loadWordLists = async (ctx: Ctx, ids: readonly string[]): Promise<WordListRow[]> =>
  (await readLists(ctx)).filter(({ id }) => ids.includes(id))

export async function listWordLists(ctx: Ctx, { page }: ListQuery<typeof wordListShape>): Promise<ListResult<WordListRow>> {
  const rows = await readLists(ctx)
  return { rows: rows.slice(page.offset, page.offset + page.limit), total: rows.length }
}

/** @throws {AppError} `forbidden`, `invalid`, `stale` */
export async function updateWordList(
  ctx: Ctx,
  row: WordListRow,
  input: UpdateInput<typeof wordListShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'moderation.rules')
  const held = readEntries(input.held ?? row.held, '/held')
  const listed = new Set(held.map(foldEntry))
  const flagged = readEntries(input.flagged ?? row.flagged, '/flagged').filter((entry) => !listed.has(foldEntry(entry)))
  const { siteId, id, language } = row
  await ctx.db.tx(async (tx) => {
    await tx.insert(moderationWordLists).values({ siteId, id, language, held: row.held, flagged: row.flagged }).onConflictDoNothing()
    const changed = await tx
      .update(moderationWordLists)
      .set({ held, flagged, lockVersion: lockVersion + 1, updatedAt: ctx.now() })
      .where(and(eq(moderationWordLists.siteId, siteId), eq(moderationWordLists.id, id), eq(moderationWordLists.lockVersion, lockVersion)))
      .returning({ id: moderationWordLists.id })
    if (changed.length === 0) throw new AppError('stale')
    await recordAudit(ctx, tx, {
      action: 'moderation-word-lists.update',
      subject: { type: 'moderation-word-lists', id },
      detail: { language, held: held.length, flagged: flagged.length },
    })
  })
}

const foldEntry = (entry: string): string => splitIntoWords(entry).join(' ')

/** Each entry once. One letter alone would find far too much. */
function readEntries(typed: readonly string[], pointer: string): string[] {
  const entries = typed.map((entry) => entry.replace(/\s+/g, ' ').trim()).filter(Boolean)
  const once = [...new Map(entries.toReversed().map((entry) => [foldEntry(entry), entry])).values()].toReversed()
  const faults: Fault[] = [
    ...(once.length > MAX_ENTRIES ? [{ code: 'too-many' as const, pointer, values: { max: MAX_ENTRIES } }] : []),
    ...(once.some((entry) => foldEntry(entry).length < 2) ? [{ code: 'too-short' as const, pointer, values: { min: 2 } }] : []),
    ...(once.some((entry) => entry.length > MAX_ENTRY_LENGTH)
      ? [{ code: 'too-long' as const, pointer, values: { max: MAX_ENTRY_LENGTH } }]
      : []),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
  return once
}
