import { createHash } from 'node:crypto'
import { createId } from '#app/lib/uuid.ts'
import type { Tx } from '#app/server/db/client.ts'
import { contributions, contributionVersions, reactions } from '#app/server/db/schema/contributions.ts'
import { insertAll } from './insert-rows.ts'

type ContributionRow = typeof contributions.$inferInsert & { id: string; submittedAt: Date }

/** An invented hash of a receipt or a person. */
export const makeUpHash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Stores contributions, each with its first version. */
export async function insertContributions(tx: Tx, rows: readonly ContributionRow[]): Promise<void> {
  await insertAll(tx, contributions, rows)
  await insertAll(
    tx,
    contributionVersions,
    rows.map(({ siteId, id, title, body, fields, state, submittedAt }) => ({
      siteId,
      id: createId(),
      contributionId: id,
      number: 1,
      title,
      body,
      ...(fields && { fields }),
      wasPublic: state === 'published',
      createdAt: submittedAt,
    })),
  )
}

/** Stores as many supports of each contribution as its row counts. @param name names the made-up supporters */
export const insertSupports = (tx: Tx, rows: readonly ContributionRow[], name: string): Promise<void> =>
  insertAll(
    tx,
    reactions,
    rows.flatMap(({ siteId, id, supports, submittedAt }) =>
      Array.from({ length: supports ?? 0 }, (_, at) => ({
        siteId,
        id: createId(),
        contributionId: id,
        personHash: makeUpHash(`${name} ${at}`),
        byAccount: false,
        value: 'support' as const,
        createdAt: submittedAt,
      })),
    ),
  )
