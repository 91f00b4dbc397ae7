import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { addProject } from '#tests/factories/surveys.ts'
import { addSite, createTestRuntime } from '#tests/support/database.ts'
import { writeAtCommit } from './client.ts'

test('a connection knows the plan of a statement that it repeats with commits', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const { id } = await addProject(runtime, site, { picture: 'before' })
  const db = runtime.database.site(site.id)
  const addMark = sql`update projects set picture = picture || ${'!'} where id = ${id}`
  for (let count = 0; count < 3; count++) await db.tx((tx) => writeAtCommit(tx, 'mark', undefined, () => addMark))
  const { rows } = await db.read((tx) => tx.execute(sql`select from pg_prepared_statements where statement like ${'%picture || $1%'}`))
  expect(rows).toHaveLength(1)
})
