import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { toConnectionFault } from '../../server/db/connection-fault.ts'
import { loadAppliedMigrations, withClient } from '../../server/db/migrate.ts'
import { StartupFault } from '../../server/startup-fault.ts'
import { getDirectUrl } from '../../server/env.ts'
import type { CommandCall } from '../commands.ts'
import { writeArchive } from './archive.ts'
import { dumpTables } from './dump-tables.ts'
import { dumpFiles } from './backup-files.ts'
import { withOwnerUrl } from './with-owner-url.ts'

/** `parley backup <file>`: a consistent snapshot of everything in one file, even while Parley is serving. */
export async function createBackup({ env, words, say }: CommandCall): Promise<void> {
  const [name = `parley-${new Date().toISOString().slice(0, 16).replaceAll(':', '-')}.backup`] = words
  const path = resolve(name)
  if (existsSync(path)) throw new StartupFault(`${path} is there already: name another file.`)
  await withOwnerUrl(env, { say, running: true, make: false }, async (ownerUrl) => {
    const archive = writeArchive(path)
    try {
      const counts = await withClient(ownerUrl, async (client) => {
        await archive.write({ kind: 'backup', format: 1, at: new Date().toISOString(), migrations: await loadAppliedMigrations(client) })
        return { rows: await dumpTables(client, archive), files: await dumpFiles(env.DATA_DIR, archive) }
      })
      await archive.finish()
      say(`${path} holds ${counts.rows} rows and ${counts.files} ${counts.files === 1 ? 'file' : 'files'}.`)
      if (env.S3_BUCKET) say(`It does not hold the files people uploaded: those lie in the bucket ${env.S3_BUCKET}. Keep versions of that.`)
      if (env.SECRET_KEY) say('It does not hold SECRET_KEY: without the same one, receipts and links in mails stop working.')
    } catch (error) {
      archive.abandon()
      const directUrl = getDirectUrl(env)
      throw error instanceof StartupFault || !directUrl ? error : toConnectionFault(error, directUrl)
    }
  })
}
