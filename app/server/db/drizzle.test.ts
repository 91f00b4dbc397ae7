import { and, count, desc, eq, exists, inArray, isNull, or, type SQL, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { alias, union } from 'drizzle-orm/pg-core'
import pg from 'pg'
import { expect, test } from 'vitest'
import type { Tx } from './client.ts'
import { toDrizzle } from './drizzle.ts'
import { hubs, projectDates, projects } from './schema/projects.ts'

const client = new pg.Client()
const NOW = new Date('2026-05-04T10:00:00Z')
const SITE = '0f0e7b1c-6a53-4d6f-9f5c-6a3f9a1d2b3c'

/** One of each form in which statements are put together here. */
const STATEMENTS: Record<string, (tx: Tx) => { toSQL: () => unknown }> = {
  'conditions and values': (tx) =>
    tx
      .select()
      .from(projects)
      .where(and(eq(projects.siteId, SITE), or(isNull(projects.closesAt), sql`${projects.opensAt} < ${NOW}`), undefined))
      .orderBy(desc(projects.updatedAt))
      .limit(5),
  'lists of values, also empty ones': (tx) =>
    tx
      .select({ id: projects.id })
      .from(projects)
      .where(and(inArray(projects.id, [SITE, SITE]), inArray(projects.status, []), sql`${projects.slug} in ${['a', 'b']}`)),
  'joins and aliases of tables': (tx) => {
    const other = alias(projects, 'other')
    return tx
      .select({ title: projects.title, hub: { slug: hubs.slug }, other: other.slug })
      .from(projects)
      .leftJoin(hubs, eq(hubs.id, projects.hubId))
      .innerJoin(other, eq(other.hubId, projects.hubId))
  },
  'named columns, with and subqueries': (tx) => {
    const found = tx.$with('found').as(tx.select({ id: projects.id, rank: sql<number>`1 + ${2}`.as('rank "1"') }).from(projects))
    const page = tx.select().from(found).orderBy(desc(found.rank)).limit(10).as('page')
    return tx
      .with(found)
      .select({ id: projects.id, total: sql<number>`(select count(*) from ${found})` })
      .from(page)
      .innerJoin(projects, eq(projects.id, page.id))
      .orderBy(page.rank)
  },
  'statements within conditions': (tx) => {
    const dated = tx.select({ id: projectDates.projectId }).from(projectDates).where(eq(projectDates.siteId, SITE))
    return tx
      .select({ amount: count() })
      .from(projects)
      .where(and(inArray(projects.id, dated), exists(dated)))
  },
  'groups and names': (tx) =>
    tx
      .select({ phase: sql`${projects.status}`.as('phase'), amount: count() })
      .from(projects)
      .groupBy(sql`${sql.identifier('phase')}`),
  'new rows': (tx) =>
    tx
      .insert(hubs)
      .values({ id: SITE, siteId: SITE, slug: 'north', title: { en: 'North' } })
      .onConflictDoUpdate({ target: hubs.id, set: { slug: sql`excluded.slug`, publishedAt: NOW } })
      .returning(),
  'changed rows': (tx) =>
    tx
      .update(projects)
      .set({ title: { en: 'It’s' }, closesAt: null })
      .where(eq(projects.id, SITE)),
  'removed rows': (tx) => tx.delete(projects).where(eq(projects.id, SITE)),
  'united statements': (tx) => union(tx.select({ id: projects.id }).from(projects), tx.select({ id: hubs.id }).from(hubs)),
  'values in place of parameters': (tx) => tx.select({ one: sql`${'it’s'}`.inlineParams() }).from(projects),
  placeholders: (tx) =>
    tx
      .select()
      .from(projects)
      .where(eq(projects.slug, sql.placeholder('slug'))),
  'values of every kind': (tx) =>
    tx
      .select({ all: sql`${1} ${'a'} ${true} ${null} ${NOW} ${sql.param([SITE])} ${sql.raw('now()')} ${sql.join(list(), sql`, `)}` })
      .from(hubs),
}
const list = (): SQL[] => [sql`${hubs}`, sql`${hubs.slug} || ${'x'}`, sql.empty()]

test.for(Object.entries(STATEMENTS))('a statement reads as Drizzle writes it: %s', ([, build]) => {
  const write = (tx: Tx) => {
    const { sql: text, params } = build(tx).toSQL() as { sql: string; params: unknown[] }
    return { text, params }
  }
  const written = write(toDrizzle(client))
  expect(written).toEqual(write(drizzle(client)))
  expect(written.text.length).toBeGreaterThan(20)
})
