import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { once } from 'node:events'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { COMMANDS } from '#app/cli/commands.ts'
import { type ForeignPostgres, startForeignPostgres } from '#tests/support/foreign-postgres.ts'
import { startOldPostgres } from '#tests/support/old-postgres.ts'
import { freePort, type LaunchOptions, ROOT, runParley, type Settings, startProduct, temporaryFolder } from '#tests/support/product.ts'

const dir = temporaryFolder('start-faults')
afterAll(() => rmSync(dir, { recursive: true, force: true }))
let count = 0
const freshDir = () => join(dir, `data-${(count += 1)}`)

/** One sentence on standard error, no stack trace, and an exit code other than 0. */
async function complaintOf(settings: Settings, words = ['start'], place: LaunchOptions = {}): Promise<string> {
  const running = runParley(words, { PORT: String(await freePort()), DATA_DIR: freshDir(), ...settings }, place)
  onTestFinished(() => void running.process.kill('SIGKILL'))
  const code = await running.ended
  const said = running.complaint().trim()
  expect(code, running.output()).toBe(1)
  expect(said.split('\n'), said).toHaveLength(1)
  expect(said).not.toMatch(/\bat .*\.(ts|js):\d+/)
  return said
}

describe('a failed start says why in one sentence', () => {
  test('invalid settings, all of them at once', async () => {
    const said = await complaintOf({ PORT: 'http', DATABASE_URL: 'mysql://x', SECRET_KEY: 'short', WEB_PROCESSES: '0', NO_DEMO: 'perhaps' })
    for (const name of ['PORT', 'DATABASE_URL', 'SECRET_KEY', 'WEB_PROCESSES', 'NO_DEMO']) expect(said).toContain(name)
    expect(said).not.toContain('short')
  })

  test('a port in use, before anything is created', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const DATA_DIR = freshDir()
    expect(await complaintOf({ PORT: String(port), DATA_DIR })).toBe(
      `Port ${port} is taken by another program: stop that one, or choose another PORT.`,
    )
    expect(readdirSync(DATA_DIR)).not.toContain('postgres')
    server.close()
  })

  test('a host that this machine does not have', async () => {
    expect(await complaintOf({ HOST: '203.0.113.7' })).toBe('This machine has no address 203.0.113.7: correct HOST.')
  })

  test('a data directory that is a file, or that a file or a broken link is in the way of', async () => {
    const file = freshDir()
    writeFileSync(file, 'a file')
    for (const DATA_DIR of [file, join(file, 'below'), join(file, 'far/below')])
      expect(await complaintOf({ DATA_DIR })).toBe(`DATA_DIR needs ${file}, which is not a directory: choose another.`)
    const link = freshDir()
    symlinkSync(join(dir, 'nowhere'), link)
    expect(await complaintOf({ DATA_DIR: link })).toBe(`The data directory ${link} cannot be created (EEXIST): choose another DATA_DIR.`)
  })

  test.skipIf(!existsSync('/proc/self'))('a data directory where the system lets nobody create anything', async () => {
    for (const command of ['start', 'doctor', 'recount']) {
      const said = await complaintOf({ DATA_DIR: '/proc/parley/data' }, [command])
      expect(said).toBe(
        command === 'doctor'
          ? "Parley's doctor found 1 fault."
          : 'The data directory /proc/parley/data cannot be created (ENOENT): choose another DATA_DIR.',
      )
    }
    expect(await complaintOf({ DATA_DIR: '/proc' })).toMatch(/^Parley may not write to .*\/proc.*: .* choose another DATA_DIR\.$/)
  })

  /** Preloaded: what an older Node says of itself. */
  const olderNode = `data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.20.2'}})`
  test('a Node that is too old, named with what brings a newer one', () => {
    const run = (node: string, ...options: string[]) =>
      spawnSync(node, [...options, 'app/cli/parley.js', 'start'], { cwd: ROOT, encoding: 'utf8', timeout: 20_000 })
    const known = (process.env['PATH'] ?? '').split(':').map((folder) => join(folder, 'node'))
    const isOld = (node: string) => existsSync(node) && /^v(1[6-9]|2[0-3])\./.test(spawnSync(node, ['-v'], { encoding: 'utf8' }).stdout)
    const runs = [run(process.execPath, '--import', olderNode), ...known.filter(isOld).map((node) => run(node))]
    for (const { status, stdout, stderr } of runs) {
      expect(stderr).toMatch(/^Parley needs Node 24 or newer, and this is Node \d+\.\d+\.\d+: start it with npm, .*npm ci.*npm start.*\n$/)
      expect([status, stdout]).toEqual([1, ''])
    }
  })

  test('an empty secret', async () => {
    const DATA_DIR = freshDir()
    mkdirSync(DATA_DIR)
    writeFileSync(join(DATA_DIR, 'secret.key'), '')
    expect(await complaintOf({ DATA_DIR })).toContain('secret.key does not hold the secret')
  })

  test('a data directory in use: by whom, since when and where', async () => {
    const DATA_DIR = freshDir()
    const first = await startProduct({ DATA_DIR, NO_DEMO: '1' })
    try {
      const said = await complaintOf({ DATA_DIR })
      expect(said).toContain(`process ${first.process.pid}`)
      expect(said).toMatch(/since 20\d\d-\d\d-\d\d \d\d:\d\d UTC/)
      expect(said).toContain(first.origin)
      expect((await fetch(`${first.origin}/readyz`)).status).toBe(200)
    } finally {
      expect(await first.stop()).toBe(0)
    }
  })

  test('an unknown command', async () => {
    const running = runParley(['sarte'], {})
    expect(await running.ended).toBe(1)
    expect(running.complaint()).toContain('There is no command sarte.')
  })

  test('an unknown example', async () => {
    expect(await complaintOf({}, ['example', 'apache'])).toContain('systemd | nginx | caddy')
  })
})

describe('without starting anything', () => {
  test('no command at all prints what there is', async () => {
    const DATA_DIR = freshDir()
    const running = runParley([], { DATA_DIR })
    expect(await running.ended).toBe(0)
    expect(running.output()).toMatch(/^Usage: /)
    expect(running.output()).toContain('doctor')
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test('--help after every command prints its help and does nothing else', async () => {
    const before = readdirSync(ROOT)
    const DATA_DIR = freshDir()
    const runs = Object.entries(COMMANDS).map(async ([name, { summary }]) => {
      // Even a setting that is wrong does not keep anybody from reading it.
      const running = runParley([name, '--help'], { DATA_DIR, PORT: 'wrong' })
      onTestFinished(() => void running.process.kill('SIGKILL'))
      expect(await running.ended, running.output()).toBe(0)
      expect(running.complaint()).toBe('')
      expect(running.output()).toMatch(new RegExp(`^Usage: npm run -s parley -- ${name}\\b`))
      expect(running.output().toLowerCase()).toContain(summary.toLowerCase())
    })
    await Promise.all(runs)
    expect(existsSync(DATA_DIR)).toBe(false)
    expect(readdirSync(ROOT), 'such as a backup named --help').toEqual(before)
    const restore = runParley(['help', 'restore'], {})
    expect(await restore.ended).toBe(0)
    expect(restore.output()).toContain('restore <file> [--replace]')
  })

  test.each([
    ['systemd', 'ExecStart=/srv/parley/node_modules/.bin/node --max-semi-space-size=8 app/cli/parley.js start'],
    ['nginx', 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;'],
    ['caddy', 'reverse_proxy 127.0.0.1:3000'],
    ['container', 'CMD ["node", "--max-semi-space-size=8", "app/cli/parley.js", "start"]'],
    ['compose', 'dockerfile: Containerfile'],
    ['kubernetes', 'command: [node, --max-semi-space-size=8, app/cli/parley.js, start, --only, web]'],
    ['haproxy', 'option httpchk GET /readyz'],
    ['patroni', 'synchronous_mode: true'],
    ['pgbouncer', 'pool_mode = transaction'],
  ])('an example for %s', async (name, line) => {
    const running = runParley(['example', name], {})
    expect(await running.ended).toBe(0)
    expect(running.output()).toContain(line)
  })
})

describe('an unusable database is named, but never its password', () => {
  let foreign: ForeignPostgres
  const SECRET_KEY = 'a-key-of-the-tests-with-more-than-32-characters'
  beforeAll(async () => {
    foreign = await startForeignPostgres()
  })
  afterAll(() => foreign.stop())

  const complaint = async (url: string, settings: Settings = {}) => {
    const said = await complaintOf({ DATABASE_URL: url, SECRET_KEY, ...settings })
    expect(said).not.toContain('keeper-password')
    return said
  }

  test('one older than Parley supports', async () => {
    const old = await startOldPostgres()
    expect(await complaint(old.url)).toBe('Parley needs PostgreSQL 15 or newer, and the database of DATABASE_URL is version 14.')
    old.stop()
  })

  test('one that is unreachable', async () => {
    expect(await complaint(`postgres://a:b@127.0.0.1:${await freePort()}/parley`)).toMatch(
      /^Parley cannot reach the database of DATABASE_URL/,
    )
    expect(await complaint('postgres://a:b@no-such-host.invalid/parley')).toContain('The host name in DATABASE_URL is not known')
  })

  test('a wrong password, and a missing database', async () => {
    expect(await complaint(foreign.url('postgres', 'keeper', 'wrong'))).toMatch(/^The name or password in DATABASE_URL is wrong/)
    expect(await complaint(foreign.url('nowhere'))).toContain('There is no database named nowhere')
  })

  test('a user who may not create the role that Parley serves as', async () => {
    await foreign.run('postgres', `create role builder login password 'builder'`, 'create database built owner builder')
    expect(await complaint(foreign.url('built', 'builder', 'builder'))).toContain('may not create the role parley_app_built')
  })

  test('a serving role that bypasses row-level security', async () => {
    await foreign.run('postgres', `create role sly login bypassrls password 'sly'`, 'create database fenced')
    expect(await complaint(foreign.url('fenced', 'sly', 'sly'))).toContain('role sly, because it may bypass row-level security')
    const migrated = runParley(['migrate'], { DATABASE_URL: foreign.url('fenced'), SECRET_KEY, DATA_DIR: freshDir() })
    expect(await migrated.ended, migrated.output()).toBe(0)
    await foreign.run('postgres', 'alter role parley_app_fenced superuser')
    expect(await complaint(foreign.url('fenced'))).toContain('role parley_app_fenced, because it is a superuser')
  })

  test('another key than the one the database was set up with', async () => {
    await foreign.run('postgres', 'create database keyed')
    const migrated = runParley(['migrate'], { DATABASE_URL: foreign.url('keyed'), SECRET_KEY, DATA_DIR: freshDir() })
    expect(await migrated.ended, migrated.output()).toBe(0)
    expect(await complaint(foreign.url('keyed'), { SECRET_KEY: 'another-key-with-more-than-32-characters' })).toContain(
      'was set up with another SECRET_KEY',
    )
  })

  test('a restricted role before the first migration', async () => {
    await foreign.run('postgres', `create role reader login password 'reader'`, 'create database bare')
    expect(await complaint(foreign.url('bare', 'reader', 'reader'))).toContain('run parley migrate')
  })
})
