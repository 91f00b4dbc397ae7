import { is, sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import { createTestRuntime } from '#tests/support/database.ts'
import * as schema from './schema.ts'

test('queries and migrations agree on tables, columns and nullability', async () => {
  const runtime = await createTestRuntime()
  const { rows } = await runtime.database.global.execute<{ line: string }>(
    sql`select table_name || '.' || column_name || ' ' || is_nullable as line from information_schema.columns
        where table_schema = 'public' and table_name <> 'parley_migrations'`,
  )
  const known = Object.values(schema as Record<string, unknown>)
    .filter((table) => is(table, PgTable))
    .flatMap((table) => {
      const { name, columns } = getTableConfig(table)
      return columns.map((column) => `${name}.${column.name} ${column.notNull ? 'NO' : 'YES'}`)
    })
  expect(known.sort()).toEqual(rows.map((row) => row.line).sort())
})
