import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { describeError, type Logger } from '../server/log.ts'
import type { SiteDirectory } from '../server/site-directory.ts'

const CHANNEL = 'parley_content'
const RECONNECT_AFTER_MS = 1000

/**
 * Listens for changed content, so that the next request after a commit queries the directory again. If the engine has no NOTIFY or the
 * connection is down, the directory notices by itself within a second.
 */
export function watchContent(databaseUrl: string, sites: SiteDirectory, log: Logger): { stop: () => Promise<void> } {
  const ending = new AbortController()
  let client: pg.Client | undefined
  const listenForChanges = async () => {
    while (!ending.signal.aborted) {
      const current = new pg.Client({
        connectionString: databaseUrl,
        connectionTimeoutMillis: 5000,
        keepAlive: true,
        application_name: 'parley content',
      })
      client = current
      const lost = new Promise<void>((resolve) => {
        current.once('end', resolve)
        current.on('error', () => resolve())
      })
      current.on('notification', ({ payload }) => sites.forget(payload))
      try {
        await current.connect()
        await current.query(`listen ${CHANNEL}`)
        sites.forget()
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
