import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'

const FOLDER = new URL('releases/', import.meta.url)
const COMMITS = new URL('commits.json', import.meta.url)
const MIGRATIONS = new URL('../../app/server/db/migrations/', import.meta.url)
const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A migration as it was when a release came out. */
export interface KeptMigration {
  name: string
  sql: string
}

export const listReleases = (): string[] =>
  readdirSync(FOLDER)
    .map((file) => file.replace('.json.gz', ''))
    .sort()

export const readRelease = (name: string): KeptMigration[] =>
  JSON.parse(gunzipSync(readFileSync(new URL(`${name}.json.gz`, FOLDER))).toString()) as KeptMigration[]

/** The commit of a release, by which tests find its source; undefined for 2026-11-28, of which only the migrations are kept. */
export const readCommit = (name: string): string | undefined => readCommits()[name]

/**
 * Keeps the migrations as they are now, and the commit they are in, under the name of a release.
 * @throws {Error} if something is not committed yet
 */
export function keepRelease(name: string): void {
  if (runGit('status', '--porcelain'))
    throw new Error('Commit everything first: a release is kept with its commit, and tests start it from there.')
  const kept = readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file): KeptMigration => ({ name: file, sql: readFileSync(new URL(file, MIGRATIONS), 'utf8') }))
  writeFileSync(new URL(`${name}.json.gz`, FOLDER), gzipSync(JSON.stringify(kept), { level: 9 }))
  writeFileSync(COMMITS, `${JSON.stringify({ ...readCommits(), [name]: runGit('rev-parse', 'HEAD') }, undefined, 2)}\n`)
}

const readCommits = () => JSON.parse(readFileSync(COMMITS, 'utf8')) as Record<string, string | undefined>

/** Runs git on this clone. @returns what it prints @throws {Error} if it fails, as it does in a copy without history */
export const runGit = (...words: string[]): string =>
  execFileSync('git', words, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
