import { sql } from 'drizzle-orm'
import { secretsPlace } from '../features/marketplace/settings.server.ts'
import { tokenPlace } from '../features/opencities/portals/open.server.ts'
import { placeOfPhone } from '../features/sms/answering/conversations.server.ts'
import { reseal, type SealingKeys } from '../server/crypto/seal.ts'
import { lockData } from '../server/data-lock.ts'
import { type Database, openDatabase } from '../server/db/client.ts'
import { addSecret } from '../server/db/embedded.ts'
import { sites } from '../server/db/schema.ts'
import { StartupFault } from '../server/startup-fault.ts'
import type { Call } from './commands.ts'
import { withPrepared } from './open-database.ts'
import { keysOf, makeDataDirectory, secretFile } from './prepare.ts'

/** Where credentials are kept sealed. What is sealed for minutes, such as a receipt on its way, opens by the former key until it is gone. */
const SEALED = [
  { table: 'installations', column: 'sealed_secrets', place: secretsPlace },
  { table: 'city_connectors', column: 'sealed_token', place: tokenPlace },
  { table: 'text_conversations', column: 'sealed_phone', place: placeOfPhone },
] as const

/**
 * Seals every kept credential under another key: one that is made now, where keys are kept in the data directory, or SECRET_KEY where that
 * is set beside FORMER_SECRET_KEYS. The first key goes on signing, so that receipts and links keep. It may be run again at any point.
 */
export async function rotateKey({ env, say }: Call): Promise<void> {
  if (env.SECRET_KEY && !env.FORMER_SECRET_KEYS?.length) {
    throw new StartupFault(
      'Set SECRET_KEY to the new key and FORMER_SECRET_KEYS to the present one, for every process, and call rotate-key again.',
    )
  }
  if (!env.SECRET_KEY) {
    makeDataDirectory(env.DATA_DIR)
    // A process that serves would not know the new key: it has to be stopped.
    const lock = lockData(env.DATA_DIR)
    try {
      keysOf(env)
      addSecret(secretFile(env))
    } finally {
      lock.release()
    }
  }
  await withPrepared(env, say, async (databaseUrl) => {
    const database = openDatabase(databaseUrl, { max: 2 })
    try {
      const { sealed, lost } = await resealAll(database, keysOf(env))
      say(`${sealed} ${sealed === 1 ? 'credential is' : 'credentials are'} sealed under the new key.`)
      if (lost > 0) say(`${lost} more ${lost === 1 ? 'is' : 'are'} opened by none of the keys, and must be typed again.`)
      const kept = env.SECRET_KEY ? 'Keep the former ones in FORMER_SECRET_KEYS' : 'The file secret.key holds the former ones too'
      say(`${kept}: receipts, links in mails and who has answered stand and fall with the first.`)
    } finally {
      await database.close()
    }
  })
}

/** @returns how many are under the newest key now, and how many no key opens */
export async function resealAll(database: Database, keys: SealingKeys): Promise<{ sealed: number; lost: number }> {
  const counts = { sealed: 0, lost: 0 }
  for (const { id: siteId } of await database.global.select({ id: sites.id }).from(sites)) {
    for (const { table, column, place } of SEALED) {
      await database.site(siteId).tx(async (tx) => {
        const [from, at] = [sql.identifier(table), sql.identifier(column)]
        const { rows } = await tx.execute<{ id: string; sealed: string }>(
          sql`select id, ${at} as sealed from ${from} where site_id = ${siteId} and ${at} is not null for update`,
        )
        for (const row of rows) {
          const again = reseal(keys, place(row.id), row.sealed)
          if (again === undefined) {
            counts.lost++
            continue
          }
          counts.sealed++
          if (again !== row.sealed) await tx.execute(sql`update ${from} set ${at} = ${again} where site_id = ${siteId} and id = ${row.id}`)
        }
      })
    }
  }
  return counts
}
