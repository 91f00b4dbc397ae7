import { timingSafeEqual } from 'node:crypto'
import { and, asc, countDistinct, eq, gt, inArray, ne, sql } from 'drizzle-orm'
import { listChanges, recordAudit } from '#app/features/audit/audit.server.ts'
import { checkPermission, requirePermission } from '#app/features/permissions/permissions.policy.server.ts'
import type { CreateInput, UpdateInput } from '#app/lib/api-client/resource-types.ts'
import { AppError } from '#app/lib/app-error.ts'
import { hasText, type Translated } from '#app/lib/translated.ts'
import { createId } from '#app/lib/uuid.ts'
import type { EligibilityField, VerificationRule } from '#app/lib/vocabulary/verifications.ts'
import type { ListQuery, ListResult } from '#app/server/api/implement.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Tx } from '#app/server/db/client.ts'
import { activities } from '#app/server/db/schema/contributions.ts'
import { surveys } from '#app/server/db/schema/surveys.ts'
import { eligibilityEntries, eligibilityLists, verifications } from '#app/server/db/schema/verifications.ts'
import { type EntryHash, hashEntry, type TypedFields } from './eligibility-fields.server.ts'
import { readEntries } from './read-entries.server.ts'
import type { eligibilityListShape } from './verifications.api.schema.ts'
import { MIN_TOLD } from './verifications.schema.ts'

export type EligibilityListRow = typeof eligibilityLists.$inferSelect
export type CountedList = EligibilityListRow & { verified: number | null }

const ENTRIES_AT_ONCE = 5000

const isList = (ctx: Ctx, id: string) => and(eq(eligibilityLists.siteId, ctx.site.id), eq(eligibilityLists.id, id))

async function addCounts(ctx: Ctx, tx: Tx, rows: readonly EligibilityListRow[]): Promise<CountedList[]> {
  const ids = rows.map(({ id }) => id)
  const counted = ids.length
    ? await tx
        .select({ listId: verifications.listId, people: countDistinct(verifications.subjectHash) })
        .from(verifications)
        .where(and(eq(verifications.siteId, ctx.site.id), inArray(verifications.listId, ids)))
        .groupBy(verifications.listId)
    : []
  return rows.map((row) => {
    const people = counted.find(({ listId }) => listId === row.id)?.people ?? 0
    return { ...row, verified: people < MIN_TOLD ? null : people }
  })
}

/** Lists whose time is not over. Their names and fields are public: they are on the page that compares with them. */
export const loadEligibilityLists = (ctx: Ctx, ids: readonly string[]): Promise<CountedList[]> =>
  ctx.db.read(async (tx) => addCounts(ctx, tx, await selectUsable(ctx, tx, ids)))

export async function listEligibilityLists(ctx: Ctx, { page }: ListQuery<typeof eligibilityListShape>): Promise<ListResult<CountedList>> {
  return ctx.db.read(async (tx) => {
    const rows = await selectUsable(ctx, tx)
    return { rows: await addCounts(ctx, tx, rows.slice(page.offset, page.offset + page.limit)), total: rows.length }
  })
}

export const selectUsable = (ctx: Ctx, tx: Tx, ids?: readonly string[]): Promise<EligibilityListRow[]> =>
  tx
    .select()
    .from(eligibilityLists)
    .where(
      and(
        eq(eligibilityLists.siteId, ctx.site.id),
        gt(eligibilityLists.validUntil, ctx.now()),
        ids ? inArray(eligibilityLists.id, [...ids]) : undefined,
      ),
    )
    .orderBy(asc(eligibilityLists.createdAt), asc(eligibilityLists.id))

/** @throws {AppError} `invalid` with `not-a-choice` at `pointer` if a rule names a list that does not exist or is over */
export async function assertUsableList(ctx: Ctx, tx: Tx, rule: VerificationRule | null | undefined, pointer: string): Promise<void> {
  if (rule?.list && (await selectUsable(ctx, tx, [rule.list])).length === 0)
    throw new AppError('invalid', { faults: [{ code: 'not-a-choice', pointer }] })
}

export const maySeeLists = (ctx: Ctx): boolean => checkPermission(ctx.viewer, 'eligibility-lists.see').ok

/** @returns its id @throws {AppError} `forbidden`; `invalid` as `checkList` and `readEntries` */
export async function createEligibilityList(ctx: Ctx, input: Omit<CreateInput<typeof eligibilityListShape>, 'id'>): Promise<string> {
  requirePermission(ctx, 'eligibility-lists.edit')
  const fields = [...new Set(input.fields)]
  checkList(ctx, { name: input.nameTranslations, validUntil: input.validUntil, fields })
  const id = createId()
  const entries = input.csv === undefined ? [] : await readEntries(ctx, { id, fields }, input.csv)
  await ctx.db.tx(async (tx) => {
    await tx.insert(eligibilityLists).values({
      siteId: ctx.site.id,
      id,
      name: input.nameTranslations,
      level: input.level,
      fields,
      validUntil: input.validUntil,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
    })
    if (entries.length > 0) await replaceEntries(ctx, tx, id, entries)
    await recordAudit(ctx, tx, {
      action: 'eligibility-lists.create',
      subject: { type: 'eligibility-lists', id },
      detail: { name: input.nameTranslations, entries: entries.length },
    })
  })
  return id
}

/**
 * Changes a list. New entries replace all former ones; who is no longer among them is no longer verified by it.
 * @throws {AppError} `forbidden`, `stale`; `invalid` as `checkList` and `readEntries`
 */
export async function updateEligibilityList(
  ctx: Ctx,
  row: EligibilityListRow,
  input: UpdateInput<typeof eligibilityListShape>,
  lockVersion: number,
): Promise<void> {
  requirePermission(ctx, 'eligibility-lists.edit')
  const saved = {
    ...(input.nameTranslations && { name: input.nameTranslations }),
    ...(input.level && { level: input.level }),
    ...(input.validUntil && { validUntil: input.validUntil }),
  }
  checkList(ctx, { ...row, ...saved })
  const entries = input.csv === undefined ? undefined : await readEntries(ctx, row, input.csv)
  await ctx.db.tx(async (tx) => {
    const changed = await tx
      .update(eligibilityLists)
      .set({ ...saved, lockVersion: sql`${eligibilityLists.lockVersion} + 1`, updatedAt: ctx.now() })
      .where(and(isList(ctx, row.id), eq(eligibilityLists.lockVersion, lockVersion)))
      .returning({ level: eligibilityLists.level, validUntil: eligibilityLists.validUntil })
    const [now] = changed
    if (!now) throw new AppError('stale')
    if (entries) await replaceEntries(ctx, tx, row.id, entries)
    await tx
      .update(verifications)
      .set({ level: now.level, validUntil: now.validUntil })
      .where(and(eq(verifications.siteId, ctx.site.id), eq(verifications.listId, row.id)))
    await recordAudit(ctx, tx, {
      action: 'eligibility-lists.update',
      subject: { type: 'eligibility-lists', id: row.id },
      changes: listChanges(row, saved),
      ...(entries && { detail: { entries: entries.length } }),
    })
  })
}

/** @throws {AppError} `forbidden`, `in-use` while an activity or survey lets in only its people */
export async function deleteEligibilityList(ctx: Ctx, row: EligibilityListRow): Promise<void> {
  requirePermission(ctx, 'eligibility-lists.edit')
  await ctx.db.tx(async (tx) => {
    const using = await tx
      .select({ id: activities.id })
      .from(activities)
      .where(
        and(
          eq(activities.siteId, ctx.site.id),
          ne(activities.status, 'archived'),
          sql`${activities.settings} @> ${JSON.stringify({ verification: { list: row.id } })}::jsonb`,
          sql`'verified' in (${activities.postAccess}, ${activities.reactAccess})`,
        ),
      )
      .limit(1)
    const asking = await tx
      .select({ id: surveys.id })
      .from(surveys)
      .where(
        and(
          eq(surveys.siteId, ctx.site.id),
          ne(surveys.status, 'archived'),
          eq(surveys.access, 'verified'),
          sql`${surveys.verification} ->> 'list' = ${row.id}`,
        ),
      )
      .limit(1)
    if (using.length + asking.length > 0) throw new AppError('in-use')
    await tx.delete(eligibilityLists).where(isList(ctx, row.id))
    await recordAudit(ctx, tx, {
      action: 'eligibility-lists.delete',
      subject: { type: 'eligibility-lists', id: row.id },
      detail: { name: row.name },
    })
  })
}

/**
 * @throws {AppError} `invalid`: `required` for a name in no language, `moment-passed` for a time that is over, `too-few` for fields that many
 * people share
 */
function checkList(
  ctx: Ctx,
  { name, validUntil, fields }: { name: Translated; validUntil: Date; fields: readonly EligibilityField[] },
): void {
  const isTelling = fields.includes('card-number') || fields.length > 1
  const faults = [
    ...(hasText(name) ? [] : [{ code: 'required' as const, pointer: '/nameTranslations' }]),
    ...(validUntil > ctx.now() ? [] : [{ code: 'moment-passed' as const, pointer: '/validUntil' }]),
    ...(isTelling ? [] : [{ code: 'too-few' as const, pointer: '/fields', values: { min: 2 } }]),
  ]
  if (faults.length > 0) throw new AppError('invalid', { faults })
}

async function replaceEntries(ctx: Ctx, tx: Tx, listId: string, entries: readonly EntryHash[]): Promise<void> {
  const siteId = ctx.site.id
  const ofList = and(eq(eligibilityEntries.siteId, siteId), eq(eligibilityEntries.listId, listId))
  await tx.delete(eligibilityEntries).where(ofList)
  for (let from = 0; from < entries.length; from += ENTRIES_AT_ONCE) {
    const rows = entries.slice(from, from + ENTRIES_AT_ONCE).map((entry) => ({ siteId, listId, ...entry }))
    await tx.insert(eligibilityEntries).values(rows)
  }
  await tx.update(eligibilityLists).set({ entries: entries.length }).where(isList(ctx, listId))
  await tx.execute(sql`delete from ${verifications} v where v.site_id = ${siteId} and v.list_id = ${listId} and not exists (
    select from ${eligibilityEntries} e where e.site_id = v.site_id and e.list_id = v.list_id and e.hash = v.subject_hash)`)
}

/**
 * Looks a person up. The database finds a few candidates by a part of the hash; they are compared in constant time.
 * @returns what is stored of the person; undefined if the list does not have them, whatever it is that differs
 */
export async function findEntry(ctx: Ctx, tx: Tx, list: EligibilityListRow, typed: TypedFields): Promise<Buffer | undefined> {
  const sought = hashEntry(ctx, list, typed)
  if (!sought) return undefined
  const candidates = await tx
    .select({ hash: eligibilityEntries.hash })
    .from(eligibilityEntries)
    .where(
      and(eq(eligibilityEntries.siteId, ctx.site.id), eq(eligibilityEntries.listId, list.id), eq(eligibilityEntries.bucket, sought.bucket)),
    )
  const same = candidates.filter(({ hash }) => timingSafeEqual(hash, sought.hash))
  return same[0]?.hash
}
