import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseAway } from './database-down.ts'
import { findPrimary, requireWritable } from './database-hosts.ts'

const EVERY_MS = 1000
const WITHIN_MS = 2000
/** Grace period after our own event loop was blocked: answers that arrived meanwhile are read first. */
const GRACE_MS = 300

interface Watcher {
  /** The database refuses or breaks connections or, with `DatabaseAway`, keeps them open but no longer answers or takes no writes. */
  onFault: (error: unknown) => void
  onAnswer: () => void
}

/**
 * Asks the database every second on its own connection whether it takes writes. A server that hangs enforces no timeouts and a dead network
 * closes no connection: without this, each request would wait as long as its client does. Of several hosts it finds the one that took over.
 */
export function watchPulse(connectionString: string, watcher: Watcher): { stop: () => Promise<void> } {
  const ending = new AbortController()
  let client: pg.Client | undefined
  const dropConnection = () => {
    const dropped = client
    client = undefined
    // No graceful close: the server does not answer on this connection.
    dropped?.connection.stream.destroy()
  }
  const pingDatabase = async () => {
    if (!client) {
      const url = await findPrimary(connectionString)
      client = new pg.Client({ connectionString: url, application_name: 'parley pulse' })
      client.on('error', () => {})
      await client.connect()
    }
    await requireWritable(client)
  }
  const checkPulse = async () => {
    const asked = pingDatabase()
    asked.catch(() => {})
    const late = (async () => {
      await wait(WITHIN_MS, undefined, { ref: false })
      await wait(GRACE_MS, undefined, { ref: false })
      return 'late' as const
    })()
    try {
      if ((await Promise.race([asked, late])) === 'late') throw new DatabaseAway('NO_ANSWER')
      watcher.onAnswer()
    } catch (error) {
      dropConnection()
      if (!ending.signal.aborted) watcher.onFault(error)
    }
  }
  const beating = (async () => {
    while (!ending.signal.aborted) {
      await checkPulse()
      await wait(EVERY_MS, undefined, { ref: false, signal: ending.signal }).catch(() => {})
    }
  })()
  return {
    stop: async () => {
      ending.abort()
      dropConnection()
      await beating
    },
  }
}
