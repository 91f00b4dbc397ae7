import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync, gzipSync } from 'node:zlib'

const FOLDER = new URL('releases/', import.meta.url)
const MIGRATIONS = new URL('../../app/server/db/migrations/', import.meta.url)

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

/** Keeps the migrations as they are now, under the name of a release. */
export function keepRelease(name: string): void {
  const kept = readdirSync(MIGRATIONS)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file): KeptMigration => ({ name: file, sql: readFileSync(new URL(file, MIGRATIONS), 'utf8') }))
  writeFileSync(new URL(`${name}.json.gz`, FOLDER), gzipSync(JSON.stringify(kept), { level: 9 }))
}
