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

test('a connection keeps the plans of the statements that it used last, however many there were before', async () => {
  const runtime = await createTestRuntime()
  const site = await addSite(runtime)
  const ask = (number: number) => sql`${sql.raw(`select ${number} as number`)} where ${site.id} <> ''`
  await runtime.database.site(site.id).read(async (tx) => {
    for (let number = 0; number < 450; number++) for (let time = 0; time < 3; time++) await tx.execute(ask(number))
    const { rows } = await tx.execute<{ statement: string }>(sql`select statement from pg_prepared_statements`)
    const isPlanned = (number: number) => rows.some(({ statement }) => statement.startsWith(`select ${number} as number `))
    expect(rows.length).toBeLessThanOrEqual(400)
    expect([0, 449].map(isPlanned)).toEqual([false, true])
    for (let time = 0; time < 3; time++) expect((await tx.execute(ask(0))).rows).toEqual([{ number: 0 }])
  })
})
