import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { getOwnerUrl, queryAsOwner } from '#tests/support/remote-api.ts'

const dir = temporaryFolder('backup')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
const file = join(dir, 'all.backup')
const settings = (name: string): Settings => ({ DATA_DIR: join(dir, name), LOG_LEVEL: 'warn' })

async function parley(words: string[], of: Settings): Promise<{ code: number | null; said: string }> {
  const running = runParley(words, of)
  return { code: await running.ended, said: running.output().trim() }
}

let count = 0
/** The contents of a backup of a stopped data directory: its tables, rows and files, without its timestamp. */
async function contents(name: string): Promise<string[]> {
  const path = join(dir, `again-${(count += 1)}.backup`)
  await parley(['backup', path], settings(name))
  return linesOf(path)
}

/** Its lines under their table, sorted, because a table's rows have no order. */
function linesOf(path: string): string[] {
  let table = ''
  return gunzipSync(readFileSync(path))
    .toString()
    .split('\n')
    .filter((line) => line && !/^{"kind":"(backup|end)"/.test(line))
    .map((line) => {
      if (!line.startsWith('{"kind":"row"')) table = line
      return `${table} ${line}`
    })
    .toSorted()
}

describe('a backup of the demo, made while it serves', () => {
  let made: { code: number | null; said: string }
  beforeAll(async () => {
    const product = await startProduct(settings('first'))
    made = await parley(['backup', file], settings('first'))
    await product.stop()
  })

  test('describes its contents', () => {
    expect(made.said).toMatch(/holds \d{5,} rows and 16 files/)
    expect(made.code).toBe(0)
  })

  test('is readable only by its owner, and never overwrites a file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const again = await parley(['backup', file], settings('first'))
    expect(again).toMatchObject({ code: 1, said: expect.stringContaining('is there already') as string })
  })

  test('restores completely into an empty place: every row, the key, and a product that serves it', async () => {
    const restored = await parley(['restore', file], settings('second'))
    expect(restored.said).toMatch(/Restored \d{5,} rows and the key/)
    expect(restored.code).toBe(0)
    expect(readFileSync(join(dir, 'second/secret.key'), 'utf8')).toBe(readFileSync(join(dir, 'first/secret.key'), 'utf8'))
    expect(await contents('second')).toEqual(linesOf(file))
    const product = await startProduct(settings('second'))
    const answer = await fetch(`${product.origin}/projects/fern-street`)
    expect(await answer.text()).toContain('A faster bus on Fern Street')
    const known = await queryAsOwner(
      getOwnerUrl(join(dir, 'second')),
      `select distinct tablename from pg_stats where tablename in ('projects', 'responses')`,
    )
    expect(known).toHaveLength(2)
    expect(await product.stop()).toBe(0)
  })

  test('does not replace existing data unless told to', async () => {
    const refused = await parley(['restore', file], settings('second'))
    expect(refused).toMatchObject({ code: 1, said: expect.stringContaining('The database is not empty') as string })
    expect((await parley(['restore', file, '--replace'], settings('second'))).code).toBe(0)
  })

  test('that was truncated or changed is refused before anything is touched', async () => {
    const whole = readFileSync(file)
    const cut = join(dir, 'cut.backup')
    writeFileSync(cut, whole.subarray(0, whole.length - 1000))
    const changed = join(dir, 'changed.backup')
    writeFileSync(changed, gzipSync(gunzipSync(whole).toString().replace('Fern Street', 'Farm Street')))
    const foreign = join(dir, 'foreign.backup')
    writeFileSync(foreign, 'not a backup')
    for (const broken of [cut, changed, foreign]) {
      const answer = await parley(['restore', broken, '--replace'], settings('second'))
      expect(answer).toMatchObject({ code: 1, said: expect.stringContaining('is not a whole backup of Parley') as string })
    }
    expect(await contents('second')).toEqual(linesOf(file))
  })
})
