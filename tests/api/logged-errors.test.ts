import { expect, test } from 'vitest'
import * as v from 'valibot'
import { sql } from 'drizzle-orm'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { redirectConsoleToLog } from '#app/serve/console-to-log.ts'
import { createId } from '#app/lib/uuid.ts'
import { DatabaseAway } from '#app/server/db/database-down.ts'
import type { Tx } from '#app/server/db/client.ts'
import { users } from '#app/server/db/schema/accounts.ts'
import { createLogger, describeError } from '#app/server/log.ts'

const MARK = 'whatsomebodysaid'
const runtime = await createTestRuntime()

/** The error thrown by `work`. */
async function errorOf(work: () => unknown): Promise<Error> {
  try {
    await work()
  } catch (error) {
    return error as Error
  }
  throw new Error('Nothing was thrown')
}

const site = await addSite(runtime, { slug: 'mill' })
const inDatabase = (work: (tx: Tx) => Promise<unknown>) => runtime.database.site(site.id).tx(work)

test.each<[string, () => unknown]>([
  ['a value that is no UUID', () => inDatabase((tx) => tx.execute(sql`select ${MARK}::uuid`))],
  ['a value that is too long', () => inDatabase((tx) => tx.execute(sql`select ${MARK}::text::varchar(3)::int`))],
  ['a query that cannot be read', () => inDatabase((tx) => tx.execute(sql`select to_tsquery('simple', ${`${MARK} & & (`})`))],
  ['a JSON value that breaks off', () => inDatabase((tx) => tx.execute(sql`select ${`{"a": ${MARK}`}::jsonb`))],
  [
    'a row that violates a constraint',
    () => {
      const row = () => ({ siteId: site.id, id: createId(), email: MARK, login: MARK })
      return inDatabase((tx) => tx.insert(users).values([row(), row()]))
    },
  ],
  ['a text that is no JSON', () => JSON.parse(MARK)],
  ['an address that is none', () => new URL(MARK)],
  ['a time zone that is none', () => new Intl.DateTimeFormat('en', { timeZone: MARK })],
  ['a language that is none', () => new Intl.DateTimeFormat(`${MARK}_${MARK}`)],
  ['a header that cannot be sent', () => new Headers({ [`${MARK} ${MARK}`]: `${MARK}\u2028` })],
  ['a member of nothing', () => (undefined as unknown as Record<string, string>)[MARK]],
  ['a schema that is not met', () => v.parse(v.object({ answers: v.literal('yes') }), { answers: MARK })],
  [
    'what a framework makes of one',
    () => {
      throw new Error(JSON.stringify(v.safeParse(v.number(), MARK).issues))
    },
  ],
  [
    'an error with more in it',
    () => {
      throw Object.assign(new Error('Not taken'), { issues: [MARK], detail: MARK, cause: new Error(`Because: ${MARK}`) })
    },
  ],
  [
    'an error whose words look like a stack',
    () => {
      throw new Error(`Refused: x\n    at ${MARK} (file:///${MARK}:1:1)`)
    },
  ],
  [
    'an error of another name',
    () => {
      throw Object.assign(new Error(MARK), { name: `Error of ${MARK}`, code: `no ${MARK}` })
    },
  ],
  [
    'something that is no error',
    () => {
      throw MARK
    },
  ],
])('%s is logged without the value', async (_, work) => {
  const error = await errorOf(work)
  const lines: string[] = []
  const log = createLogger('debug', (line) => lines.push(line))
  log.error('request failed', describeError(error))
  const restore = redirectConsoleToLog(log)
  console.error('It failed:', error)
  console.error(`It failed: ${MARK}`, { error: MARK })
  restore()
  expect(lines).toHaveLength(3)
  expect(lines.join('')).not.toContain(MARK)
})

test('a bug is logged with its type, location and cause, and with its message if it is our own', async () => {
  const defect = describeError(new Error('the printer is on fire', { cause: new TypeError('x') }))
  expect(defect).toMatchObject({ error: 'the printer is on fire', cause: { error: 'TypeError' } })
  expect(String(defect['stack'])).toMatch(/logged-errors\.test\.ts:\d+/)
  const failed = describeError(
    await errorOf(() => inDatabase((tx) => tx.execute(sql`insert into users (site_id, id) values (${site.id}, ${createId()})`))),
  )
  expect(failed).toMatchObject({
    error: 'Failed query',
    query: expect.stringContaining('insert into users') as string,
    cause: { code: '23502', table: 'users' },
  })
  const down = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED', syscall: 'connect' })
  expect(describeError(down)).toMatchObject({ code: 'ECONNREFUSED', syscall: 'connect' })
})

test('a database that takes no writes is no bug, so where it was asked is not logged', () => {
  const away = new DatabaseAway('NO_WRITES', { cause: Object.assign(new Error('read-only'), { code: '25006' }) })
  expect(describeError(away)).toEqual({ error: 'DatabaseAway', code: 'NO_WRITES' })
})
