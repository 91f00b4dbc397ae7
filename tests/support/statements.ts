import { sql } from 'drizzle-orm'
import type pg from 'pg'
import type { Runtime } from '#app/server/runtime.ts'

/** What one piece of work asked of the database. */
export interface DatabaseUse {
  /** SELECT, INSERT and so on, without those that begin or end a transaction. */
  statements: string[]
  /** Parameters of each statement, in the same order. */
  values: unknown[][]
  transactions: number
}

interface Asked {
  text: string
  values: unknown[]
}

const recorders = new Set<Asked[]>()
const wrapped = new WeakSet<pg.PoolClient>()

/** Counts what `work` asks of the database. Nothing else may use the runtime's connections meanwhile. */
export async function recordDatabaseUse({ database: { pool } }: Runtime, work: () => Promise<unknown>): Promise<DatabaseUse> {
  const everything: Asked[] = []
  const wrapOnce = (client: pg.PoolClient) => {
    if (wrapped.has(client)) return
    wrapped.add(client)
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    const recording = (...args: unknown[]) => {
      const [asked, values] = args as [string | pg.QueryConfig, unknown[] | undefined]
      const one =
        typeof asked === 'string' ? { text: asked, values: values ?? [] } : { text: asked.text, values: values ?? asked.values ?? [] }
      for (const recorder of recorders) recorder.push(one)
      return query(...args)
    }
    client.query = recording as typeof client.query
  }
  pool.on('acquire', wrapOnce)
  recorders.add(everything)
  try {
    await work()
    // A shared read ends just after its last reader.
    await new Promise((done) => setTimeout(done, 20))
  } finally {
    recorders.delete(everything)
    pool.off('acquire', wrapOnce)
  }
  const asked = everything.filter(({ text }) => !/^(begin|commit|rollback)\b/i.test(text))
  return {
    statements: asked.map(({ text }) => text),
    values: asked.map(({ values }) => values),
    transactions: everything.filter(({ text }) => /^begin\b/i.test(text)).length,
  }
}

/** A node of a plan, as `explain (analyze, format json)` describes it; rows are of one loop. */
interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** Runs the statements again, which must only read. @returns how many rows of each table they looked at */
export async function countRowsRead(
  { database }: Runtime,
  siteId: string,
  { statements, values }: DatabaseUse,
): Promise<Map<string, number>> {
  const read = new Map<string, number>()
  const add = (node: PlanNode) => {
    const name = node['Relation Name']
    const rows = (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    if (name) read.set(name, (read.get(name) ?? 0) + Math.round(rows))
    for (const below of node.Plans ?? []) add(below)
  }
  await database.site(siteId).tx(async (tx) => {
    for (const [place, text] of statements.entries()) {
      const filled = text
        .split(/\$(\d+)\b/)
        .map((part, at) => (at % 2 ? sql`${sql.param(values[place]?.[Number(part) - 1])}` : sql.raw(part)))
      const { rows } = await tx.execute<{ 'QUERY PLAN': { Plan: PlanNode }[] }>(sql`explain (analyze, format json) ${sql.join(filled)}`)
      for (const { Plan } of rows[0]?.['QUERY PLAN'] ?? []) add(Plan)
    }
  })
  return read
}
