import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { createId } from '#app/lib/uuid.ts'
import { hashToken } from '#app/server/auth/tokens.ts'
import { runParley, type Settings } from './product.ts'

/** Connects to a running product's embedded database as its owner, to whom row-level security does not apply. */
export async function connectAsOwner(dataDir: string): Promise<pg.Client> {
  const { databasePort } = JSON.parse(readFileSync(join(dataDir, 'parley.holder.json'), 'utf8')) as { databasePort: number }
  const client = new pg.Client({
    host: '127.0.0.1',
    port: databasePort,
    user: 'parley_owner',
    database: 'parley',
    password: readFileSync(join(dataDir, 'postgres.password'), 'utf8').trim(),
  })
  client.on('error', () => {})
  await client.connect()
  return client
}

export async function queryOnce(dataDir: string, text: string, values: unknown[] = []): Promise<pg.QueryResult> {
  const client = await connectAsOwner(dataDir)
  try {
    return await client.query(text, values)
  } finally {
    await client.end()
  }
}

/** Creates a site in English, French and Welsh on a running product, through the command line. */
export async function createSite(settings: Settings, host: string, name: string): Promise<void> {
  const running = runParley(['create-site', '--host', host, '--name', name, '--region', 'Canada', '--languages', 'en,fr-CA,cy'], settings)
  if ((await running.ended) !== 0) throw new Error(running.output())
}

/** Opens a participant's session on the site at `host`. @returns its token */
export async function openSession(dataDir: string, host: string, login: string): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const [user, session] = [createId(), createId()]
  const client = await connectAsOwner(dataDir)
  try {
    const { rows } = await client.query<{ id: string }>('select site_id as id from site_domains where host = $1', [host])
    const site = rows[0]?.id
    await client.query(`insert into users (site_id, id, email, login, email_confirmed_at) values ($1, $2, $3, $4, now())`, [
      site,
      user,
      `${user}@people.example`,
      login,
    ])
    await client.query(
      `insert into sessions (site_id, id, user_id, token_hash, expires_at) values ($1, $2, $3, $4, now() + interval '1 hour')`,
      [site, session, user, hashToken(token)],
    )
  } finally {
    await client.end()
  }
  return token
}
