import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { cleanEnvironment, ROOT, runParley } from '#tests/support/product.ts'
import { runGit } from './releases.ts'

const NEEDED_TO_RUN = ['app', 'locales', 'public', 'package.json', 'package-lock.json', 'app.config.ts', 'tsconfig.json', '.npmrc']

/** Why the source at a commit cannot be had here; undefined if the clone has it, or ought to have it. */
export function explainMissingSource(commit: string): string | undefined {
  if (!canRunGit('rev-parse', '--git-dir'))
    return 'This copy has no git history, which has the source of the version before: clone the repository.'
  if (canRunGit('cat-file', '-e', `${commit}^{commit}`)) return undefined
  if (runGit('rev-parse', '--is-shallow-repository') === 'true')
    return `This clone is shallow and does not reach back to ${commit}, the version before: git fetch --unshallow.`
  return undefined
}

function canRunGit(...words: string[]): boolean {
  try {
    runGit(...words)
    return true
  } catch {
    return false
  }
}

/** Takes the source at a commit into the empty folder `to`, with the packages that its lock file names, and builds it. Takes up to a minute. */
export async function buildFormerVersion(commit: string, to: string): Promise<void> {
  mkdirSync(to, { recursive: true })
  const archive = execFileSync('git', ['archive', '--format=tar', commit, ...NEEDED_TO_RUN], { cwd: ROOT, maxBuffer: 2 ** 30 })
  execFileSync('tar', ['-x', '-C', to], { input: archive })
  if (isInstalledHere(to)) symlinkSync(join(ROOT, 'node_modules'), join(to, 'node_modules'))
  else installPackages(to)
  const build = runParley(['build'], {}, { root: to })
  if ((await build.ended) !== 0) throw new Error(`The version before could not be built:\n${build.output()}`)
}

/** Whether this clone has every package of the other's lock file in the same version, maybe among others. */
function isInstalledHere(other: string): boolean {
  const here = readLock(ROOT)
  return Object.entries(readLock(other)).every(([path, { integrity }]) => path === '' || here[path]?.integrity === integrity)
}

const readLock = (folder: string) =>
  (JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as { packages: Record<string, { integrity?: string }> }).packages

/** Without the scripts of packages: they set up Node and PostgreSQL, and both are the ones that run the tests. */
function installPackages(folder: string): void {
  const environment = Object.entries(cleanEnvironment()).filter(([name]) => !name.startsWith('npm_'))
  const words = ['ci', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund']
  const { status, stderr } = spawnSync('npm', words, { cwd: folder, env: Object.fromEntries(environment), encoding: 'utf8' })
  if (status !== 0) throw new Error(`The packages of the version before could not be installed:\n${stderr}`)
}
