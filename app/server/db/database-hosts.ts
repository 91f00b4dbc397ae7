import pg from 'pg'
import { listHostUrls } from '../connection-string.ts'
import { DatabaseAway } from './database-down.ts'

const CONNECT_WITHIN_MS = 2000

/** By connection string with several hosts: the URL of the one that takes writes, as this process last found out. */
const primaries = new Map<string, string>()

/** The URL of one host: of the one that takes writes, as far as this process knows, else of the first. */
export function toPrimaryUrl(connectionString: string): string {
  return primaries.get(connectionString) ?? listHostUrls(connectionString)[0] ?? connectionString
}

/**
 * Finds out which host of the connection string takes writes, and remembers it for `toPrimaryUrl`. Asks nobody if there is only one.
 * @throws why none of them does
 */
export async function findPrimary(connectionString: string): Promise<string> {
  const urls = listHostUrls(connectionString)
  const [only] = urls
  if (urls.length < 2) return only ?? connectionString
  const primary = await Promise.any(urls.map(requirePrimary)).catch((thrown: AggregateError) => {
    throw thrown.errors.find((error) => !(error instanceof DatabaseAway)) ?? thrown.errors[0]
  })
  primaries.set(connectionString, primary)
  return primary
}

async function requirePrimary(url: string): Promise<string> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    query_timeout: CONNECT_WITHIN_MS,
    application_name: 'parley primary',
  })
  client.on('error', () => {})
  try {
    await client.connect()
    await requireWritable(client)
    return url
  } finally {
    client.end().catch(() => {})
  }
}

/** @throws {DatabaseAway} if the server only repeats what another one writes */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby) throw new DatabaseAway('NO_WRITES')
}
