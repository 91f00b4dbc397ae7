import { eq, sql } from 'drizzle-orm'
import { resealSecret, type SealingKeys } from '../server/crypto/seal.ts'
import { lockDataDirectory } from '../server/data-lock.ts'
import { type Database, openDatabase } from '../server/db/client.ts'
import { addSecret } from '../server/db/embedded-postgres.ts'
import { sites } from '../server/db/schema/sites.ts'
import { buildSiteKeyPlace } from '../server/site-key.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { CommandCall } from './commands.ts'
import { makeDataDirectory } from './data-directory.ts'
import { withPreparedDatabase } from './open-database.ts'
import { readKeys, getSecretFile } from './prepare.ts'
import { SEALED_COLUMNS } from './sealed-columns.ts'

/**
 * Reseals every stored credential under a new key: one generated now if keys are stored in the data directory, or SECRET_KEY if it is set
 * together with FORMER_SECRET_KEYS. The first key keeps signing, so that receipts and links stay valid. May be run again at any point.
 */
export async function rotateKey({ env, say }: CommandCall): Promise<void> {
  if (env.SECRET_KEY && !env.FORMER_SECRET_KEYS?.length) {
    throw new StartupFault(
      'Set SECRET_KEY to the new key and FORMER_SECRET_KEYS to the present one, for every process, and call rotate-key again.',
    )
  }
  if (!env.SECRET_KEY) {
    makeDataDirectory(env.DATA_DIR)
    // A serving process would not know the new key, so it has to be stopped first.
    const lock = lockDataDirectory(env.DATA_DIR)
    try {
      readKeys(env)
      addSecret(getSecretFile(env))
    } finally {
      lock.release()
    }
  }
  await withPreparedDatabase(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 2 })
    try {
      const { sealed, lost } = await resealAll(database, readKeys(env))
      say(`${sealed} ${sealed === 1 ? 'credential is' : 'credentials are'} sealed under the new key.`)
      if (lost > 0) say(`${lost} more ${lost === 1 ? 'is' : 'are'} opened by none of the keys, and must be typed again.`)
      const kept = env.SECRET_KEY ? 'Keep the former ones in FORMER_SECRET_KEYS' : 'The file secret.key holds the former ones too'
      say(`${kept}: receipts, links in mails and who has answered stand and fall with the first.`)
    } finally {
      await database.close()
    }
  })
}

/** @returns how many credentials are now sealed under the newest key, and how many no key opens */
export async function resealAll(database: Database, keys: SealingKeys): Promise<{ sealed: number; lost: number }> {
  const counts = { sealed: 0, lost: 0 }
  const count = (again: string | undefined) => counts[again === undefined ? 'lost' : 'sealed']++
  for (const { id: siteId, sealedKey } of await database.global.select({ id: sites.id, sealedKey: sites.sealedKey }).from(sites)) {
    if (sealedKey !== null) {
      const again = resealSecret(keys, buildSiteKeyPlace(siteId), sealedKey)
      count(again)
      if (again !== undefined && again !== sealedKey)
        await database.global.update(sites).set({ sealedKey: again }).where(eq(sites.id, siteId))
    }
    for (const { table, column, place } of SEALED_COLUMNS) {
      await database.site(siteId).tx(async (tx) => {
        const [from, at] = [sql.identifier(table), sql.identifier(column)]
        const { rows } = await tx.execute<{ id: string; sealed: string }>(
          sql`select id, ${at} as sealed from ${from} where site_id = ${siteId} and ${at} is not null for update`,
        )
        for (const row of rows) {
          const again = resealSecret(keys, place(row.id), row.sealed)
          count(again)
          if (again !== undefined && again !== row.sealed)
            await tx.execute(sql`update ${from} set ${at} = ${again} where site_id = ${siteId} and id = ${row.id}`)
        }
      })
    }
  }
  return counts
}
