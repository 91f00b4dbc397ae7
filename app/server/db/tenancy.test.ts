import { sql } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { createId } from '#app/lib/uuid.ts'
import { addSite, type TestRuntime, createTestRuntime } from '#tests/support/database.ts'
import { hubs } from './schema/projects.ts'
import { GLOBAL_TABLES } from './tenancy.ts'

let runtime: TestRuntime
beforeAll(async () => {
  runtime = await createTestRuntime()
})

describe('sites are isolated in the database', () => {
  test("a handle on one site neither sees nor changes another site's rows, whatever the query says", async () => {
    const [a, b] = [await addSite(runtime, { slug: 'alder' }), await addSite(runtime, { slug: 'birch' })]
    await runtime.database
      .site(a.id)
      .tx((tx) => tx.insert(hubs).values({ siteId: a.id, id: createId(), slug: 'roads', title: { en: 'Roads' } }))
    const other = runtime.database.site(b.id)
    expect(await other.tx((tx) => tx.select().from(hubs))).toEqual([])
    await other.tx((tx) => tx.delete(hubs))
    await expect(other.tx((tx) => tx.insert(hubs).values({ siteId: a.id, id: createId(), slug: 'x', title: {} }))).rejects.toThrow()
    expect(await runtime.database.site(a.id).tx((tx) => tx.select().from(hubs))).toHaveLength(1)
  })

  test('tenant tables are empty without a site', async () => {
    expect(await runtime.database.global.select().from(hubs)).toEqual([])
  })

  test('every tenant table forces row-level security and starts its keys with site_id', async () => {
    const { rows: tables } = await runtime.database.global.execute<{ name: string; rls: boolean; forced: boolean }>(
      sql`select relname as name, relrowsecurity as rls, relforcerowsecurity as forced from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`,
    )
    const tenant = tables.filter((table) => !(GLOBAL_TABLES as readonly string[]).includes(table.name))
    expect(tenant.length).toBeGreaterThan(20)
    expect(tenant.filter((table) => !table.rls || !table.forced)).toEqual([])
    const { rows: keys } = await runtime.database.global.execute<{ table: string; key: string; first: string }>(
      sql`select c.conrelid::regclass::text as table, c.conname as key, a.attname as first from pg_constraint c
          join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
          where c.contype in ('p', 'u', 'f') and c.connamespace = 'public'::regnamespace`,
    )
    const names = new Set(tenant.map((table) => table.name))
    const allowed = new Set(['site_features_name_fkey']) // to a small global table
    expect(keys.filter((key) => names.has(key.table) && key.first !== 'site_id' && !allowed.has(key.key))).toEqual([])
  })

  test("the application's role owns nothing and cannot bypass row-level security", async () => {
    const { rows } = await runtime.database.global.execute(
      sql`select rolsuper, rolbypassrls, (select count(*)::int from pg_class where relowner = r.oid) as owned from pg_roles r where rolname = current_user`,
    )
    expect(rows).toEqual([{ rolsuper: false, rolbypassrls: false, owned: 0 }])
  })
})
