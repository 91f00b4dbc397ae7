import { rm } from 'node:fs/promises'
import { randomBytes } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { deriveAppPassword } from '#app/server/connection-string.ts'
import { startEmbedded } from '#app/server/db/embedded-postgres.ts'
import { migrateDatabase } from '#app/server/db/migrate.ts'
import type { TestProject } from 'vitest/node'

export const TEST_SECRET = 'a-secret-key-for-tests-of-at-least-32-characters'

declare module 'vitest' {
  export interface ProvidedContext {
    ownerUrl: string
  }
}

// Autovacuum would update statistics in the middle of a test, and so change plans and the order of rows.
const FLAGS = ['fsync=off', 'max_connections=400', 'autovacuum=off'].flatMap((setting) => ['-c', setting])

interface Cluster {
  ownerUrl: string
  stop: () => Promise<void>
}

/** One for all projects of a run: each holds it until its tests are over. */
const shared = globalThis as { parleyCluster?: { started: Promise<Cluster>; holders: number } | undefined }

/** Starts one real PostgreSQL for the whole run, with a migrated template that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = (shared.parleyCluster ??= { started: startCluster(), holders: 0 })
  cluster.holders++
  const { ownerUrl, stop } = await cluster.started
  project.provide('ownerUrl', ownerUrl)
  return async () => {
    if (--cluster.holders > 0) return
    shared.parleyCluster = undefined
    await stop()
  }
}

/** An empty database, copied from the migrated template at this address. */
export async function copyTemplate(template: string): Promise<{ name: string; ownerUrl: string; drop: () => Promise<void> }> {
  const name = `t_${randomBytes(6).toString('hex')}`
  const admin = new pg.Client({ connectionString: template.replace(/template_parley$/, 'postgres') })
  await admin.connect()
  await admin.query(`create database ${name} template template_parley`)
  return {
    name,
    ownerUrl: template.replace(/template_parley$/, name),
    drop: async () => {
      await admin.query(`drop database if exists ${name} with (force)`)
      await admin.end()
    },
  }
}

async function startCluster(): Promise<Cluster> {
  const dir = mkdtempSync(join(tmpdir(), 'parley-test-'))
  const server = await startEmbedded(dir, { database: 'template_parley', flags: FLAGS })
  await migrateDatabase(server.ownerUrl, deriveAppPassword(TEST_SECRET))
  const admin = new pg.Client({ connectionString: server.ownerUrl.replace(/template_parley$/, 'postgres') })
  await admin.connect()
  await admin.query("update pg_database set datistemplate = true, datallowconn = false where datname = 'template_parley'")
  await admin.end()
  return {
    ownerUrl: server.ownerUrl,
    stop: async () => {
      await server.stop()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
