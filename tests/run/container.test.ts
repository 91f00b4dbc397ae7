import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort, ROOT, runParley, startProduct, temporaryFolder } from '#tests/support/product.ts'
import { sendRequest } from '#tests/support/send-request.ts'

/**
 * What `parley example container` and `compose` describe, as far as it shows without an engine for containers: only what the container file
 * copies, only the packages of production, a user who may write to DATA_DIR and nowhere else.
 */
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: 65_534, gid: 65_534 } : {}
const dir = temporaryFolder('container')
chmodSync(dir, 0o755)
const root = join(dir, 'srv')
const DATA_DIR = join(dir, 'data')
const node = join(dir, 'node')
const place = { root, node, ...user }
const HOST = 'consult.example.org'
let settings = {
  NO_DEMO: '1',
  LOG_LEVEL: 'warn',
  DATA_DIR,
  HOME: '/nonexistent',
  PUBLIC_URL: `https://${HOST}`,
  TRUSTED_PROXIES: '1',
  PORT: '',
}
let containerFile = ''
let before: string[]

const readExample = async (name: string) => {
  const printed = runParley(['example', name], {})
  expect(await printed.ended).toBe(0)
  return printed.output()
}

/** Names at the top of the repository that the container file takes into the image. */
const listCopied = () =>
  [...containerFile.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' ').map((name) => name.replace('/srv/parley/', '')),
  )

/** Folders of packages that `npm prune --omit=dev` leaves. */
function listProductionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: Record<string, { dev?: boolean }> }
  return Object.entries(packages)
    .filter(([path, { dev }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) && !dev && existsSync(join(ROOT, path)))
    .map(([path]) => path)
}

function hasHardLinks(): boolean {
  try {
    linkSync(join(ROOT, 'package.json'), join(dir, 'probe'))
    return true
  } catch {
    return false
  }
}

/** Copies files and folders of the repository to the same places, as hard links where the disk allows, since the packages are large. */
function copyToPlace(paths: string[]): void {
  const how = hasHardLinks() ? '-al' : '-a'
  for (const [folder, inside] of Map.groupBy(paths, dirname)) {
    const to = join(root, folder)
    mkdirSync(to, { recursive: true })
    expect(spawnSync('cp', [how, ...inside.map((path) => join(ROOT, path)), to]).status, folder).toBe(0)
  }
}

const listFolders = () =>
  readdirSync(root, { withFileTypes: true, recursive: true }).flatMap((entry) =>
    entry.isDirectory() ? [join(entry.parentPath, entry.name)] : [],
  )

const setWritable = (mode: number) => {
  for (const folder of [root, ...listFolders()]) chmodSync(folder, mode)
}

const listTree = () =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((name) => {
      const { size, mtimeMs } = lstatSync(join(root, name))
      return `${name} ${size} ${mtimeMs}`
    })
    .toSorted()

/** The commands by which the two examples ask whether it is well. */
async function listHealthChecks(port: number): Promise<string[]> {
  const inImage = /^HEALTHCHECK .*CMD \["node", "-e", "(.+)"\]$/m.exec(containerFile)?.[1]
  const inCompose = /^ +node -e "(.+)"$/m.exec(await readExample('compose'))?.[1]
  return [inImage, inCompose].map((script) => {
    expect(script).toContain(':3000/')
    return script?.replace(':3000/', `:${port}/`) ?? ''
  })
}

const runScript = (script: string) => spawnSync(node, ['-e', script], { ...user, cwd: root }).status

beforeAll(async () => {
  containerFile = await readExample('container')
  copyFileSync(process.execPath, node)
  copyToPlace([...listCopied().filter((name) => name !== 'node_modules'), ...listProductionPackages()])
  // Copied folders look newer than the build to some builders of images.
  utimesSync(join(root, 'app'), new Date(), new Date())
  setWritable(0o555)
  mkdirSync(DATA_DIR, { mode: 0o700 })
  if (isRoot) chownSync(DATA_DIR, 65_534, 65_534)
  settings = { ...settings, PORT: String(await freePort()) }
  before = listTree()
})
afterAll(() => {
  setWritable(0o755)
  rmSync(dir, { recursive: true, force: true })
})

test('without the tools that build it, it is complete', () => {
  expect(listCopied()).toContain('node_modules')
  expect(existsSync(join(root, 'node_modules/react'))).toBe(true)
  for (const name of ['vitest', 'tailwindcss', 'playwright', 'node']) expect(existsSync(join(root, 'node_modules', name)), name).toBe(false)
})

test('it serves, is found to be well, keeps its data over a restart, and writes nowhere else', async () => {
  const first = await startProduct(settings, place)
  onTestFinished(() => void first.stop())
  expect(first.output()).toContain(`This user may not write to ${root}/: serving what was built before.`)
  const link = /https:\/\/consult\.example\.org(\/first-admin\?token=\S+)/.exec(first.output())?.[1]
  const page = await sendRequest(first.port, link ?? '', { host: HOST, 'x-forwarded-proto': 'https' })
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('Welcome to Parley')])
  for (const script of await listHealthChecks(first.port)) expect(runScript(script)).toBe(0)
  const made = runParley(['create-site', '--host', HOST, '--name', 'Riverbend', '--region', 'County'], settings, place)
  expect(await made.ended, made.output()).toBe(0)
  expect(await first.stop()).toBe(0)
  for (const script of await listHealthChecks(first.port)) expect(runScript(script)).toBe(1)

  const again = await startProduct(settings, place)
  onTestFinished(() => void again.stop())
  expect(again.output()).toContain(`Riverbend  https://${HOST}`)
  expect(again.output()).not.toContain('Making the database')
  const home = await sendRequest(again.port, '/', { host: HOST, 'x-forwarded-proto': 'https' })
  expect([home.status, home.text]).toEqual([200, expect.stringContaining('Riverbend')])
  expect(await again.stop()).toBe(0)
  expect(listTree()).toEqual(before)
})

test('a folder that nobody built and nobody may write to is named', async () => {
  chmodSync(root, 0o755)
  renameSync(join(root, 'dist'), join(dir, 'dist'))
  chmodSync(root, 0o555)
  const running = runParley(['start'], { ...settings, PORT: String(await freePort()) }, place)
  expect(await running.ended).toBe(1)
  expect(running.complaint().trim()).toBe(
    `Parley is not built, and this user may not write to ${root}/: run npm run build there as its owner.`,
  )
})
