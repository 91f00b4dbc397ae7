import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canAccountAccess, findDatabaseAccount, SHARED_ROOT } from '#app/server/db/postgres-binaries.ts'
import { freePort, ROOT, runParley, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { cloneTo } from '#tests/support/clone-repository.ts'

const isRoot = process.getuid?.() === 0
const plain = { NO_DEMO: '1', LOG_LEVEL: 'warn' }
const nobody = { name: 'nobody', uid: 65_534, gid: 65_534 }
const dir = temporaryFolder('places')
chmodSync(dir, 0o755)
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const homes = () => (existsSync(SHARED_ROOT) ? readdirSync(SHARED_ROOT).filter((name) => /^[0-9a-f]{12}/.test(name)) : [])

describe.skipIf(!isRoot)('as root in a clone below a directory that only root may enter', () => {
  const closed = join(dir, 'closed')
  const clone = join(closed, 'parley')
  const DATA_DIR = join(clone, '.data')
  let before: string[]
  beforeAll(() => {
    before = homes()
    mkdirSync(closed, { mode: 0o700 })
    cloneTo(clone)
  })
  afterAll(() => {
    for (const name of homes()) if (!before.includes(name)) rmSync(join(SHARED_ROOT, name), { recursive: true })
  })

  test('the database is placed where its unprivileged user can reach it, and found there again', async () => {
    const first = await startProduct({ ...plain, DATA_DIR }, { root: clone })
    expect(first.output()).toMatch(/The user \S+ cannot reach .*\.data: the database is kept in \/var\/lib\/parley\/[0-9a-f]{12}\./)
    expect(await first.stop()).toBe(0)
    const home = readFileSync(join(DATA_DIR, 'postgres.location'), 'utf8').trim()
    expect(statSync(join(home, 'postgres')).uid).toBe(findDatabaseAccount()?.uid)
    expect(statSync(join(home, 'postgres')).mode & 0o777).toBe(0o700)
    expect(statSync(closed).mode & 0o777).toBe(0o700)
    const again = await startProduct({ ...plain, DATA_DIR }, { root: clone })
    expect(again.output()).not.toContain('Making the database')
    expect(again.output()).not.toContain('cannot reach')
    expect(await again.stop()).toBe(0)
  })

  test('a data directory that was deleted and recreated starts fresh, and the old database is set aside', async () => {
    rmSync(DATA_DIR, { recursive: true })
    const fresh = await startProduct({ ...plain, DATA_DIR }, { root: clone })
    expect(fresh.output()).toContain('An earlier data directory here left a database behind: it is kept in ')
    expect(fresh.output()).toContain('Making the database')
    expect(await fresh.stop()).toBe(0)
    expect(homes().some((name) => name.includes('.left-'))).toBe(true)
  })
})

const canRead = isRoot && canAccountAccess(nobody, '-r', join(ROOT, 'package.json')) && canAccountAccess(nobody, '-x', process.execPath)
describe.skipIf(!canRead)('as an unprivileged user', () => {
  test('everything runs as that user, and only that user can read the data directory', async () => {
    const DATA_DIR = join(dir, 'theirs')
    mkdirSync(DATA_DIR, { mode: 0o700 })
    chownSync(DATA_DIR, nobody.uid, nobody.gid)
    const product = await startProduct({ ...plain, DATA_DIR, HOME: dir }, { uid: nobody.uid, gid: nobody.gid })
    expect(statSync(join(DATA_DIR, 'postgres')).uid).toBe(nobody.uid)
    expect(statSync(join(DATA_DIR, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(await product.stop()).toBe(0)
    const denied = runParley(
      ['start'],
      { ...plain, DATA_DIR: join(dir, 'theirs-not'), PORT: String(await freePort()) },
      { uid: nobody.uid, gid: nobody.gid },
    )
    expect(await denied.ended).toBe(1)
    expect(denied.complaint().trim()).toMatch(/^Parley may not write to the data directory .*theirs-not: .*\.$/)
    // What another user left in a directory that is theirs.
    for (const left of ['secret.key', 'parley.lock', 'parley.holder.json.new']) {
      const mixed = join(dir, `mixed-${left}`)
      mkdirSync(mixed, { mode: 0o700 })
      writeFileSync(join(mixed, left), '', { mode: 0o600 })
      chownSync(mixed, nobody.uid, nobody.gid)
      const refused = runParley(
        ['start'],
        { ...plain, DATA_DIR: mixed, PORT: String(await freePort()) },
        { uid: nobody.uid, gid: nobody.gid },
      )
      expect(await refused.ended).toBe(1)
      expect(refused.complaint()).toMatch(new RegExp(`^Parley may not (use|write to) ${mixed}/${left}.*: give this user the right.*\\.\n$`))
    }
    expect(await (await startProduct({ ...plain, DATA_DIR })).stop(), 'root goes on with what the user made').toBe(0)
    expect(statSync(join(DATA_DIR, 'postgres')).uid).toBe(nobody.uid)
  })
})

describe('the build', () => {
  test('a broken bundle is named', async () => {
    const clone = join(dir, 'broken')
    cloneTo(clone)
    appendFileSync(join(clone, 'dist/server/server.js'), '\n}{')
    const running = runParley(['start'], { ...plain, DATA_DIR: join(dir, 'broken-data'), PORT: String(await freePort()) }, { root: clone })
    expect(await running.ended).toBe(1)
    expect(running.complaint().trim()).toMatch(/^What was built does not load \(.*\): delete the folder dist and start again\.$/)
    expect(running.output()).not.toContain('Parley is ready')
  })
})

const shelf = join(dir, 'read-only')
mkdirSync(shelf)
const isShelf = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'ro', 'tmpfs', shelf]).status === 0
describe.skipIf(!isShelf)('below a folder that is read-only', () => {
  afterAll(() => void spawnSync('umount', [shelf]))

  test('no start, and one sentence', async () => {
    for (const DATA_DIR of [shelf, join(shelf, 'data'), join(shelf, 'far/data')]) {
      const running = runParley(['start'], { ...plain, DATA_DIR, PORT: String(await freePort()) })
      expect(await running.ended).toBe(1)
      expect(running.complaint()).toMatch(
        /^Parley may not write to the data directory .*read-only.*: give this user the right, or choose another DATA_DIR\.\n$/,
      )
    }
  })
})

const room = join(dir, 'little-room')
mkdirSync(room)
const mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=24m', 'tmpfs', room]).status === 0
describe.skipIf(!mounted)('on a full disk', () => {
  afterAll(() => void spawnSync('umount', [room]))

  test('a first start says so and leaves nothing half made', async () => {
    const DATA_DIR = join(room, 'data')
    const running = runParley(['start'], { ...plain, DATA_DIR, PORT: String(await freePort()) })
    expect(await running.ended).toBe(1)
    expect(running.complaint().trim()).toMatch(/^There is no room left on the disk that holds .*: free some and start again\.$/)
    expect(existsSync(join(DATA_DIR, 'postgres/PG_VERSION'))).toBe(false)
  })

  test('so does a later one', async () => {
    const DATA_DIR = join(room, 'full')
    rmSync(join(room, 'data'), { recursive: true, force: true })
    mkdirSync(DATA_DIR)
    try {
      writeFileSync(join(room, 'ballast'), Buffer.alloc(30_000_000))
    } catch {
      // As full as possible.
    }
    const running = runParley(['start'], { ...plain, DATA_DIR, PORT: String(await freePort()) })
    expect(await running.ended).toBe(1)
    expect(running.complaint().trim()).toMatch(/^There is no room left on the disk/)
  })
})
