import { and, eq, isNull } from 'drizzle-orm'
import { computeLeaf, findEntry, isWaiting, readLedgerHead } from '#app/features/ledger/ledger.server.ts'
import type { Tx } from '#app/server/db/client.ts'
import { moderationCases, moderationDecisions } from '#app/server/db/schema/moderation.ts'
import { describeContribution, describeProof, findActivityLedger, loadLeaf } from '../record/contribution-ledger.server.ts'
import type { OwnLedgerView } from '../record/contributions.schema.ts'
import type { ContributionRow, PlacedContribution } from '../record/loading.server.ts'

/**
 * Finds the entry of what is stored. A text that was changed since it was accepted has none: that is said, unless a moderator took a passage out
 * and its original is deleted.
 * @param row with the author's own words
 */
export async function readOwnLedger(tx: Tx, { activity }: PlacedContribution, row: ContributionRow): Promise<OwnLedgerView | null> {
  const ledger = await findActivityLedger(tx, activity)
  if (!ledger) return null
  const known = await loadLeaf(tx, row.siteId, row.id)
  if (!known) return row.title || row.body ? null : { state: 'gone' }
  const salt = known.salt.toString('hex')
  const isSame = computeLeaf(salt, describeContribution(row)).equals(known.leaf)
  const entry = await findEntry(tx, ledger, known.leaf)
  const { entries, head } = await readLedgerHead(tx, ledger)
  const isHeld = entry !== undefined || (await isWaiting(tx, ledger, known.leaf))
  const isExpected = isHeld && (isSame || (await wasMasked(tx, row)))
  return {
    state: !isExpected ? 'missing' : !isSame ? 'masked' : entry ? 'entered' : 'waiting',
    salt,
    leaf: known.leaf.toString('hex'),
    kept: isSame ? describeProof(known.salt, row) : '',
    entry: entry ? { number: entry.number, hash: entry.hash } : null,
    entries,
    head,
  }
}

async function wasMasked(tx: Tx, { siteId, id }: ContributionRow): Promise<boolean> {
  const [found] = await tx
    .select({ id: moderationDecisions.id })
    .from(moderationDecisions)
    .innerJoin(
      moderationCases,
      and(eq(moderationCases.siteId, moderationDecisions.siteId), eq(moderationCases.id, moderationDecisions.caseId)),
    )
    .where(
      and(
        eq(moderationCases.siteId, siteId),
        eq(moderationCases.contributionId, id),
        isNull(moderationCases.replyId),
        eq(moderationDecisions.decision, 'mask'),
      ),
    )
    .limit(1)
  return found !== undefined
}
