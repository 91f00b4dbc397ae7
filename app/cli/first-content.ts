import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PreparedDatabase } from '../serve/open-runtime.ts'
import { runForSite, withClient } from '../server/db/migrate.ts'
import { PLATFORM_SITE_ID } from '../server/db/tenancy.ts'
import type { Env } from '../server/env.ts'
import { isLoopback } from './addresses.ts'

/**
 * Fills an empty embedded database with the demo, if only this machine can reach it.
 * @returns otherwise, the first steps to print once it listens
 */
export async function prepareFirstContent(env: Env, { databaseUrl }: PreparedDatabase, say: (line: string) => void): Promise<string[]> {
  const state = await loadInstallationState(databaseUrl)
  const demo = !env.DATABASE_URL && !env.NO_DEMO && isLoopback(env.HOST)
  if (demo && !state.sites) {
    await seedInOwnProcess(env, databaseUrl, say)
    return []
  }
  if (state.sites && state.admins) return []
  const lines: string[] = []
  const { printFirstSteps: firstSteps } = await import('./sites.ts')
  await firstSteps(env, databaseUrl, (line) => lines.push(`  ${line}`))
  return [...lines, '']
}

/** A process keeps most of the memory it once needed, and this one goes on to serve pages. */
async function seedInOwnProcess(env: Env, databaseUrl: string, say: (line: string) => void): Promise<void> {
  const child = fork(fileURLToPath(new URL('./demo-process.ts', import.meta.url)))
  child.on('message', (line) => {
    if (typeof line === 'string') say(line)
  })
  child.send({ env, databaseUrl })
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  if (code !== 0) throw new Error(`The process that makes the demo ended with ${signal ?? code}`)
}

/** Creates the demo's missing sites. Loaded on demand: most starts are not the first. */
export async function seedDatabase(env: Env, databaseUrl: string, say: (line: string) => void): Promise<void> {
  const [{ openDatabase }, { seedDemo }, { openStorage }, { readSigningSecret }] = await Promise.all([
    import('../server/db/client.ts'),
    import('./demo/seed.ts'),
    import('../server/storage/storage.ts'),
    import('./prepare.ts'),
  ])
  const database = openDatabase(databaseUrl, { max: 2, onError: () => {} })
  try {
    await seedDemo(database, { say, storage: openStorage(env), secret: readSigningSecret(env) })
  } finally {
    await database.close()
  }
}

/** Whether there is a site, and a platform administrator. */
function loadInstallationState(databaseUrl: string): Promise<{ sites: boolean; admins: boolean }> {
  return withClient(databaseUrl, async (client) => {
    const { rows } = await runForSite(client, PLATFORM_SITE_ID, () =>
      client.query<{ sites: boolean; admins: boolean }>(
        `select exists (select from sites where id <> $1) as sites,
                exists (select from memberships where site_id = $1 and role = 'platform_admin') as admins`,
        [PLATFORM_SITE_ID],
      ),
    )
    return rows[0] ?? { sites: false, admins: false }
  })
}
