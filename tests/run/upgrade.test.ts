import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import { withClient } from '#app/server/db/migrate.ts'
import { describeSchema } from '#tests/support/describe-schema.ts'
import { runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { callApi, getOwnerUrl, queryAsOwner, signInForToken } from '#tests/support/remote-api.ts'

/** Backups of the demo, most of its responses and visits left out so that they stay small. Their keys are nobody's. */
const BACKUPS = join(import.meta.dirname, '../upgrade/backups')
const dir = temporaryFolder('upgrade')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const settingsOf = (name: string): Settings => ({ DATA_DIR: join(dir, name), LOG_LEVEL: 'warn' })

/** The number of rows of each table in a backup. */
function countRows(path: string): Record<string, number> {
  const counts: Record<string, number> = {}
  let table = ''
  for (const line of gunzipSync(readFileSync(path)).toString().split('\n')) {
    const named = /^\{"kind":"table","name":"([^"]+)"/.exec(line)?.[1]
    if (named) counts[(table = named)] = 0
    else if (line.startsWith('{"kind":"row"')) counts[table] = (counts[table] ?? 0) + 1
  }
  return counts
}

describe.each(readdirSync(BACKUPS))('a backup of a former version, %s', (file) => {
  const path = join(BACKUPS, file)

  test('is restored with every row, has the schema of a fresh install, and is served', async () => {
    const restored = runParley(['restore', path], settingsOf('former'))
    expect(await restored.ended, restored.output()).toBe(0)
    const before = countRows(path)
    const [former, fresh] = [await startProduct(settingsOf('former')), await startProduct({ ...settingsOf('fresh'), NO_DEMO: '1' })]
    try {
      const readSchema = (name: string) => withClient(getOwnerUrl(join(dir, name)), describeSchema)
      expect(await readSchema('former')).toEqual(await readSchema('fresh'))
      const url = getOwnerUrl(join(dir, 'former'))
      for (const table of ['sites', 'users', 'projects', 'surveys', 'responses', 'contributions', 'audit_events', 'follows'].filter(
        (name) => name in before,
      )) {
        const [row] = await queryAsOwner<{ total: number }>(url, `select count(*)::int as total from ${table}`)
        expect([table, row?.total ?? 0], 'no row is lost').toEqual([
          table,
          expect.toSatisfy((total: number) => total >= (before[table] ?? 0)),
        ])
      }
      const answer = await fetch(`${former.origin}/projects/fern-street`)
      expect(await answer.text()).toContain('A faster bus on Fern Street')
      const token = await signInForToken(former, 'site.admin@riverbend.example')
      const { data } = await callApi<{ data: unknown[] }>(former, 'GET', '/surveys?page[size]=5', token)
      expect(data.length).toBe(5)
      expect(former.output()).not.toMatch(/"level":"error"/)
    } finally {
      await Promise.all([former.stop(), fresh.stop()])
    }
  })
})
