import { test } from 'vitest'
import { testRuntime } from '#tests/support/database.ts'
import { seedDemo } from './seed.ts'
test('seed', async () => {
  const runtime = await testRuntime()
  const t = performance.now()
  const r = await seedDemo(runtime.database, { hashPassword: async () => 'x' })
  console.log(performance.now() - t, JSON.stringify(r))
  const db = runtime.database.site((await runtime.sites.find('localhost'))!.id)
  const { sql } = await import('drizzle-orm')
  console.log(await db.tx(async (tx) => (await tx.execute(sql`select answers, language, submitted_at from responses order by random() limit 12`)).rows.map((x) => JSON.stringify(x)).join('\n')))
})
