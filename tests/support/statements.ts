import type pg from 'pg'
import type { Runtime } from '#app/server/runtime.ts'

/** What one piece of work asked of the database. */
export interface DatabaseUse {
  /** SELECT, INSERT and so on, without those that begin or end a transaction. */
  statements: string[]
  transactions: number
}

const recorders = new Set<string[]>()
const wrapped = new WeakSet<pg.PoolClient>()

/** Counts what `work` asks of the database. Nothing else may use the runtime's connections meanwhile. */
export async function recordDatabaseUse({ database: { pool } }: Runtime, work: () => Promise<unknown>): Promise<DatabaseUse> {
  const texts: string[] = []
  const wrapOnce = (client: pg.PoolClient) => {
    if (wrapped.has(client)) return
    wrapped.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const recording = (...args: unknown[]) => {
      const [asked] = args
      const text = typeof asked === 'string' ? asked : (asked as pg.QueryConfig).text
      for (const recorder of recorders) recorder.push(text)
      return query(...args)
    }
    client.query = recording as typeof client.query
  }
  pool.on('acquire', wrapOnce)
  recorders.add(texts)
  try {
    await work()
    // A shared read ends just after its last reader.
    await new Promise((done) => setTimeout(done, 20))
  } finally {
    recorders.delete(texts)
    pool.off('acquire', wrapOnce)
  }
  return {
    statements: texts.filter((text) => !/^(begin|commit|rollback)\b/i.test(text)),
    transactions: texts.filter((text) => /^begin\b/i.test(text)).length,
  }
}
