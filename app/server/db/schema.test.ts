import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { createTestRuntime } from '#tests/support/database.ts'

const AREAS = readdirSync(join(import.meta.dirname, 'schema')).map((file) => file.replace(/\.ts$/, ''))

test('queries and migrations agree on tables, columns and nullability', async () => {
  const runtime = await createTestRuntime()
  const { rows } = await runtime.database.global.execute<{ line: string }>(
    sql`select table_name || '.' || column_name || ' ' || is_nullable as line from information_schema.columns
        where table_schema = 'public' and table_name <> 'parley_migrations'`,
  )
  const modules = await Promise.all(AREAS.map(async (area): Promise<Record<string, unknown>> => import(`./schema/${area}.ts`)))
  const known = modules
    .flatMap((module) => Object.values(module))
    .filter((table) => is(table, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      return columns.map((column) => `${name}.${column.name} ${column.notNull ? 'NO' : 'YES'}`)
    })
  expect(known.sort()).toEqual(rows.map((row) => row.line).sort())
})
