import { createHash } from 'node:crypto'
import { and, asc, eq, gt, lte, type SQL, sql } from 'drizzle-orm'
import type { SiteDb } from '#app/server/db/client.ts'
import { auditChains, auditEvents } from '#app/server/db/schema/audit.ts'

export type AuditRow = typeof auditEvents.$inferSelect
/** An event about to be written. */
export type AuditLine = Omit<AuditRow, 'hash'>

const LINES_PER_BATCH = 5000

/** Hash of this event: covers the previous event's hash and everything this one says. `link_audit_events` computes the same in the database. */
export function hashLine(previous: Uint8Array, line: AuditLine): Buffer {
  const { beforeNumber, afterNumber } = serialiseLine(line)
  return createHash('sha256').update(previous).update(`${beforeNumber}${line.sequence}${afterNumber}`).digest()
}

/** What an event says, as JSON, without its number, which only the end of the chain knows. */
function serialiseLine(line: Omit<AuditLine, 'sequence'>): { beforeNumber: string; afterNumber: string } {
  const said = [
    line.id,
    line.at.toISOString(),
    line.actorId,
    line.actorRole,
    line.action,
    line.subjectType,
    line.subjectId,
    line.hubId,
    line.projectId,
    line.address,
    sortKeys(line.detail),
  ]
  return { beforeNumber: `[${JSON.stringify(line.siteId)},`, afterNumber: `,${JSON.stringify(said).slice(1)}` }
}

/** A statement that writes events of a site as the next links of its chain, which it locks. */
export function linkLines(siteId: string, lines: readonly Omit<AuditLine, 'sequence'>[]): SQL {
  const events = lines.map((line) => {
    const { beforeNumber: before, afterNumber: after } = serialiseLine(line)
    return { ...line, before, after }
  })
  return sql`select link_audit_events(${siteId}, ${JSON.stringify(events)})`
}

/** Numbers and chains events, oldest first. */
export function chainLines(
  lines: readonly Omit<AuditLine, 'sequence'>[],
  after: { sequence: number; hash: Buffer } = { sequence: 0, hash: Buffer.alloc(0) },
): AuditRow[] {
  let { sequence, hash } = after
  return lines.map((line) => {
    sequence += 1
    hash = hashLine(hash, { ...line, sequence })
    return { ...line, sequence, hash }
  })
}

export interface ChainCheck {
  lines: number
  /** Number of the first missing or altered event; null if all are intact. */
  brokenAt: number | null
  /** Hash of the last event. Stored elsewhere, it later proves that nothing before it was rewritten. */
  hash: string
}

/** Verifies the whole trail of a site. Events written meanwhile are left for the next check. */
export async function checkChain(db: SiteDb): Promise<ChainCheck> {
  const [chain] = await db.read((tx) => tx.select().from(auditChains).where(eq(auditChains.siteId, db.siteId)))
  if (!chain) return { lines: 0, brokenAt: null, hash: '' }
  const buildResult = (brokenAt: number | null): ChainCheck => ({ lines: chain.sequence, brokenAt, hash: chain.hash.toString('hex') })
  let [sequence, hash]: [number, Buffer] = [0, Buffer.alloc(0)]
  while (sequence < chain.sequence) {
    const from = sequence
    const lines = await db.read((tx) =>
      tx
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.siteId, db.siteId), gt(auditEvents.sequence, from), lte(auditEvents.sequence, chain.sequence)))
        .orderBy(asc(auditEvents.sequence))
        .limit(LINES_PER_BATCH),
    )
    if (lines.length === 0) return buildResult(sequence + 1)
    for (const line of lines) {
      sequence += 1
      if (line.sequence !== sequence) return buildResult(sequence)
      // Events from before the chain began are only counted.
      if (sequence <= chain.beginsAfter) continue
      hash = hashLine(hash, line)
      if (!hash.equals(line.hash)) return buildResult(sequence)
    }
  }
  return buildResult(sequence > chain.beginsAfter && !hash.equals(chain.hash) ? sequence : null)
}

/** Sorts object keys recursively, because the database returns them in another order. */
function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sortKeys(inner)]),
  )
}
