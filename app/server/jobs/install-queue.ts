import { createRequire } from 'node:module'
import { PgBoss } from 'pg-boss'
import type pg from 'pg'
import { findPrimary } from '../db/database-hosts.ts'
import { QUEUE_SCHEMA } from './queue-schema.ts'

/** Name of the queue's tables in `parley_migrations`; includes pg-boss's version, so that an upgrade migrates them once. */
export const getQueueMigrationName = (): string =>
  `job queue of pg-boss ${(createRequire(import.meta.url)('pg-boss/package.json') as { version: string }).version}`

/** Creates or migrates the queue's tables as the database's owner. */
export async function installQueue(ownerUrl: string): Promise<void> {
  const connectionString = await findPrimary(ownerUrl)
  const boss = new PgBoss({ connectionString, schema: QUEUE_SCHEMA, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => {})
  await boss.start()
  await boss.stop({ graceful: false })
}

/** Grants what a process needs to send and run jobs; it neither owns nor creates tables. */
export async function grantQueue(client: pg.ClientBase, role: string): Promise<void> {
  const name = client.escapeIdentifier(role)
  await client.query(`grant usage on schema ${QUEUE_SCHEMA} to ${name}`)
  await client.query(`grant select, insert, update, delete on all tables in schema ${QUEUE_SCHEMA} to ${name}`)
  await client.query(`grant execute on all functions in schema ${QUEUE_SCHEMA} to ${name}`)
}
