import { randomBytes } from 'node:crypto'
import { and, eq, inArray } from 'drizzle-orm'
import { computeLeaf, enqueueEntries, findHourEnd, findLedger, type LedgerKey, openLedger } from '#app/features/ledger/ledger.server.ts'
import { toCanonicalJson } from '#app/lib/json-equal.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributionLeaves } from '#app/server/db/schema/ledger.ts'
import { readActivitySettings } from '../kinds/kinds.ts'
import type { ActivityRow } from './activities.policy.server.ts'
import type { ContributionRow } from './loading.server.ts'

type Content = Pick<ContributionRow, 'title' | 'body' | 'placeText'> & Partial<Pick<ContributionRow, 'fields' | 'geometry'>>
type LeafRow = typeof contributionLeaves.$inferSelect

/**
 * What a contribution says, as its hash in the ledger has it: one line of JSON with the keys in order. What it is shown as, its categories and
 * its photos are not in it.
 */
export const describeContribution = ({ title, body, placeText, fields = {}, geometry = null }: Content): string =>
  toCanonicalJson({ title, body, placeText, fields, geometry }) ?? ''

/** The text of the proof file that a contributor keeps to find their entry. Its SHA-256 is the leaf. */
export const describeProof = (salt: Buffer, content: Content): string => salt.toString('hex') + describeContribution(content)

const computeContributionLeaf = (salt: Buffer, content: Content): Buffer => computeLeaf(salt.toString('hex'), describeContribution(content))

type OfActivity = Pick<ActivityRow, 'siteId' | 'id' | 'kind' | 'settings'>

export const hasLedger = (activity: Pick<ActivityRow, 'kind' | 'settings'>): boolean =>
  readActivitySettings(activity).settings.ledger === true

/** The ledger of an activity; undefined if it has none, or nothing was sent yet. */
export const findActivityLedger = async (tx: Tx, activity: OfActivity): Promise<LedgerKey | undefined> =>
  hasLedger(activity) ? findLedger(tx, 'activity', activity.siteId, activity.id) : undefined

/**
 * Adds the hash of an accepted contribution to the ledger of its activity, if it keeps one, in the transaction that stores the contribution. The
 * caller has locked the activity's row, because the first contribution opens the ledger.
 */
export async function enterContribution(tx: Tx, activity: OfActivity, row: Content & { id: string }, now: Date): Promise<void> {
  if (!hasLedger(activity)) return
  const ledger = (await findActivityLedger(tx, activity)) ?? (await openLedger(tx, 'activity', activity.siteId, activity.id))
  await storeLeaf(tx, ledger, row, now)
}

/** For a contribution that its author changed: adds an entry for the new text, and marks the one of the former text as replaced. */
export async function reenterContribution(tx: Tx, activity: OfActivity, row: Content & { id: string }, now: Date): Promise<void> {
  const ledger = await findActivityLedger(tx, activity)
  const former = ledger && (await loadLeaf(tx, activity.siteId, row.id))
  if (!ledger || !former || computeContributionLeaf(former.salt, row).equals(former.leaf)) return
  await storeLeaf(tx, ledger, row, now)
  await enqueueEntries(tx, ledger, [{ kind: 'replaced', leaf: former.leaf }], findHourEnd(now))
}

async function storeLeaf(tx: Tx, ledger: LedgerKey, row: Content & { id: string }, now: Date): Promise<void> {
  const salt = randomBytes(32)
  const leaf = computeContributionLeaf(salt, row)
  await tx
    .insert(contributionLeaves)
    .values({ siteId: ledger.siteId, contributionId: row.id, ledgerId: ledger.id, salt, leaf })
    .onConflictDoUpdate({ target: [contributionLeaves.siteId, contributionLeaves.contributionId], set: { salt, leaf } })
  await enqueueEntries(tx, ledger, [{ kind: 'added', leaf }], findHourEnd(now))
}

/** Undefined if the contribution has no entry, or its text is gone. */
export async function loadLeaf(tx: Tx, siteId: string, contributionId: string): Promise<LeafRow | undefined> {
  const [row] = await tx
    .select()
    .from(contributionLeaves)
    .where(and(eq(contributionLeaves.siteId, siteId), eq(contributionLeaves.contributionId, contributionId)))
  return row
}

/** For contributions whose texts are deleted: deletes their salts and leaves, and marks their entries as withdrawn. */
export async function withdrawLeaves(tx: Tx, siteId: string, contributionIds: readonly string[], now: Date): Promise<void> {
  if (contributionIds.length === 0) return
  const gone = await tx
    .delete(contributionLeaves)
    .where(and(eq(contributionLeaves.siteId, siteId), inArray(contributionLeaves.contributionId, [...contributionIds])))
    .returning({ ledgerId: contributionLeaves.ledgerId, leaf: contributionLeaves.leaf })
  for (const [id, rows] of Map.groupBy(gone, ({ ledgerId }) => ledgerId)) {
    const marks = rows.map(({ leaf }) => ({ kind: 'withdrawn' as const, leaf }))
    await enqueueEntries(tx, { of: 'activity', siteId, id }, marks, findHourEnd(now))
  }
}
