import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import type { RememberedViewers } from '../server/auth/remembered-viewers.ts'
import { findPrimary, toPrimaryUrl } from '../server/db/database-hosts.ts'
import { isBehindPool } from '../server/db/statement-client.ts'
import { describeError, type Logger } from '../server/log.ts'
import type { SiteDirectory } from '../server/site-directory.ts'

const CONTENT = 'parley_content'
const PEOPLE = 'parley_people'
const RECONNECT_AFTER_MS = 1000
const BEHIND_POOL =
  'the database is behind a connection pool: statements are not prepared, and other processes see a change within a second'

/** What one process remembers. */
interface Heard {
  sites: SiteDirectory
  viewers: RememberedViewers
}

/**
 * Listens for changed content and changed rights, so that the next request after a commit asks the database again. If the engine has no
 * NOTIFY, the database is behind a pool or the connection is down, what is remembered ends by itself within a second.
 */
export function watchContent(databaseUrl: string, { sites, viewers }: Heard, log: Logger): { stop: () => Promise<void> } {
  const ending = new AbortController()
  let client: pg.Client | undefined
  let isPoolKnown = false
  const listenForChanges = async () => {
    while (!ending.signal.aborted) {
      const connectionString = await findPrimary(databaseUrl).catch(() => toPrimaryUrl(databaseUrl))
      const current = new pg.Client({
        connectionString,
        connectionTimeoutMillis: 5000,
        keepAlive: true,
        application_name: 'parley content',
      })
      client = current
      const lost = new Promise<void>((resolve) => {
        current.once('end', resolve)
        current.on('error', () => resolve())
      })
      current.on('notification', ({ channel, payload }) => (channel === PEOPLE ? viewers : sites).forget(payload))
      try {
        await current.connect()
        if (!(await isBehindPool(current))) await current.query(`listen ${CONTENT}; listen ${PEOPLE}`)
        else if (!isPoolKnown) {
          isPoolKnown = true
          log.info(BEHIND_POOL)
        }
        sites.forget()
        viewers.forget()
        await lost
      } catch (error) {
        log.debug('not listening for changed content', describeError(error))
      }
      await current.end().catch(() => {})
      await wait(RECONNECT_AFTER_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {})
    }
  }
  const done = listenForChanges()
  return {
    stop: async () => {
      ending.abort()
      await client?.end().catch(() => {})
      await done
    },
  }
}
