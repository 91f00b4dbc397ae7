import { createHash } from 'node:crypto'
import { and, asc, eq, inArray, lt, lte, or, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { createId } from '#app/lib/uuid.ts'
import { siteDeletions, siteDomains, sites } from '#app/server/db/schema/sites.ts'
import { attemptWork } from '#app/server/jobs/attempt-work.ts'
import { keepLeaseAliveDuring } from '#app/server/keep-lease-alive.ts'
import { describeError } from '#app/server/log.ts'
import type { Runtime } from '#app/server/runtime.ts'
import { openStorage } from '#app/server/storage/storage.ts'
import { streamZip } from '#app/server/zip.ts'
import { buildAttemptKey, buildPieceKey } from './archive.storage.server.ts'
import { EXPORT_RETENTION_MS, type DeletionRow } from './deletions.server.ts'
import { type SiteTable, loadSiteTables } from './site-tables.server.ts'

/** Lets work that was in progress when the site went offline finish first. */
const SETTLE_DELAY_MS = 5000
/** A process without a heartbeat for this long is dead: another starts over. */
const STALE_AFTER_MS = 60_000
const HEARTBEATS_PER_PERIOD = 3
const RETRY_AFTER_MS = 10 * 60_000
const PIECE_BYTES = 8 * 1024 * 1024
const ROWS_AT_ONCE = 500
/**
 * Longer tables continue in another file. Counted in characters of up to three bytes, so that none comes near the 4 GiB limit of a zip
 * entry.
 */
const MAX_FILE_LETTERS = 1024 ** 3
/** Sign-in and rate limits: of no use without the product. */
const EXCLUDED_TABLES = new Set(['sessions', 'one_time_links', 'rate_limits', 'phone_codes', 'budget_secrets', 'budget_paper_typings'])
/** Secrets, or data that only this installation's key can decrypt. The audit trail's hashes stay, as its proof. */
const SECRET_COLUMN = /_hash$|^ballot_key$|^seed$|sealed|^salt$|^edit_receipt$|^leave_url$|^secret_bodies$/

/** Its process was presumed dead, or the deletion was cancelled. */
class Superseded extends Error {}

/** Makes the exports of sites to be deleted, one after the other. Run by a job. @returns number of exports */
export async function makeSiteArchives(runtime: Runtime): Promise<number> {
  let made = 0
  for (let row = await claimDeletion(runtime); row; row = await claimDeletion(runtime)) {
    const deletion = row
    const recordHeartbeat = () => updateExport(runtime, deletion, { exportAliveAt: runtime.now() })
    if (await keepLeaseAliveDuring(STALE_AFTER_MS / HEARTBEATS_PER_PERIOD, recordHeartbeat, () => makeArchive(runtime, deletion))) made += 1
  }
  return made
}

async function claimDeletion(runtime: Runtime): Promise<DeletionRow | undefined> {
  const now = runtime.now().getTime()
  const isOlderThan = (ms: number) => lt(siteDeletions.exportAliveAt, new Date(now - ms))
  const { global } = runtime.database
  const due = global
    .select({ id: siteDeletions.id })
    .from(siteDeletions)
    .where(
      and(
        eq(siteDeletions.state, 'waiting'),
        lte(siteDeletions.askedAt, new Date(now - SETTLE_DELAY_MS)),
        or(
          eq(siteDeletions.exportState, 'waiting'),
          and(eq(siteDeletions.exportState, 'running'), isOlderThan(STALE_AFTER_MS)),
          and(eq(siteDeletions.exportState, 'failed'), isOlderThan(RETRY_AFTER_MS)),
        ),
      ),
    )
    .orderBy(asc(siteDeletions.askedAt))
    .limit(1)
    .for('update', { skipLocked: true })
  const [row] = await global
    .update(siteDeletions)
    .set({ exportState: 'running', exportAttempt: createId(), exportAliveAt: new Date(now) })
    .where(inArray(siteDeletions.id, due))
    .returning()
  return row
}

const makeArchive = (runtime: Runtime, row: DeletionRow): Promise<boolean> =>
  attemptWork(
    () => storeArchive(runtime, row),
    async (thrown) => {
      if (thrown instanceof Superseded) return false
      runtime.log.error('the export of a site could not be made', { siteId: row.id, ...describeError(thrown) })
      await updateExport(runtime, row, { exportState: 'failed', exportAliveAt: runtime.now() }).catch(() => {})
      return false
    },
  )

async function storeArchive(runtime: Runtime, row: DeletionRow): Promise<true> {
  const attempt = row.exportAttempt ?? ''
  const storage = openStorage(runtime.env)
  try {
    const contents = new ArchiveContents(runtime, row)
    const hash = createHash('sha256')
    let [pieces, bytes] = [0, 0]
    for await (const piece of splitIntoPieces(streamZip(contents.entries()))) {
      await storage.put(buildPieceKey(row.id, attempt, pieces), piece)
      hash.update(piece)
      pieces += 1
      bytes += piece.length
      await updateExport(runtime, row, { exportAliveAt: runtime.now() })
    }
    await updateExport(runtime, row, {
      exportState: 'done',
      exportMadeAt: runtime.now(),
      exportPieces: pieces,
      exportBytes: bytes,
      exportSha256: hash.digest('hex'),
      exportRows: contents.rows,
      exportFiles: contents.files,
      exportExpiresAt: new Date(row.dueAt.getTime() + EXPORT_RETENTION_MS),
    })
    return true
  } catch (error) {
    await storage.removeBelow(buildAttemptKey(row.id, attempt)).catch(() => {})
    throw error
  }
}

async function updateExport(runtime: Runtime, row: DeletionRow, values: Partial<typeof siteDeletions.$inferInsert>): Promise<void> {
  const renewed = await runtime.database.global
    .update(siteDeletions)
    .set(values)
    .where(
      and(eq(siteDeletions.id, row.id), eq(siteDeletions.exportAttempt, row.exportAttempt ?? ''), eq(siteDeletions.exportState, 'running')),
    )
    .returning({ id: siteDeletions.id })
  if (!renewed.length) throw new Superseded()
}

async function* splitIntoPieces(stream: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let waiting: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of stream) {
    waiting.push(chunk)
    bytes += chunk.length
    if (bytes < PIECE_BYTES) continue
    yield Buffer.concat(waiting)
    waiting = []
    bytes = 0
  }
  if (bytes) yield Buffer.concat(waiting)
}

interface FileChecksum {
  name: string
  bytes: number
  sha256: string
}

type ArchiveEntry = { name: string; pieces: AsyncGenerator<string | Uint8Array> }

/** The entries of a site's archive: its tables as JSON lines, its files, and last a manifest. */
class ArchiveContents {
  readonly #runtime: Runtime
  readonly #row: DeletionRow
  readonly #sums: FileChecksum[] = []
  readonly #tables: { name: string; columns: string[]; withheld: string[]; rows: number; files: string[] }[] = []
  rows = 0
  files = 0

  constructor(runtime: Runtime, row: DeletionRow) {
    this.#runtime = runtime
    this.#row = row
  }

  async *entries(): AsyncGenerator<ArchiveEntry> {
    yield* this.#data()
    yield* this.#media()
    yield this.#entry('manifest.json', this.#manifest())
    yield { name: 'SHA256SUMS', pieces: this.#checksums() }
  }

  /** All tables in one snapshot. */
  async *#data(): AsyncGenerator<ArchiveEntry> {
    const { id } = this.#row
    const { pool } = this.#runtime.database
    const client = await pool.connect()
    let broken = true
    try {
      await pool.begin(client, { siteId: id, isReadOnly: true })
      await client.query(`set local timezone = 'UTC'; set local bytea_output = 'hex'`)
      yield* this.#table(client, { name: 'sites', columns: ['sealed_key'], generated: [] }, 'id')
      yield* this.#table(client, { name: 'site_domains', columns: [], generated: [] }, 'site_id')
      for (const table of await loadSiteTables(drizzle(client))) {
        if (!table.passing && !EXCLUDED_TABLES.has(table.name)) yield* this.#table(client, table, 'site_id')
      }
      await client.query('commit')
      broken = false
    } finally {
      client.release(broken)
    }
  }

  async *#table(client: pg.PoolClient, table: Pick<SiteTable, 'name' | 'columns' | 'generated'>, by: string): AsyncGenerator<ArchiveEntry> {
    const { name } = table
    const audit = name.startsWith('audit_')
    const withheld = table.columns.filter((column) => !audit && SECRET_COLUMN.test(column))
    const listed = { name, columns: table.columns.filter((column) => !withheld.includes(column)), withheld, rows: 0, files: [] as string[] }
    this.#tables.push(listed)
    const without = [...withheld, ...table.generated].map((column) => client.escapeLiteral(column))
    await client.query(
      `declare lines no scroll cursor for select (to_jsonb(t) - array[${without.join()}]::text[])::text as line
       from ${client.escapeIdentifier(name)} t where ${by} = ${client.escapeLiteral(this.#row.id)}`,
    )
    const fetchRows = async () => (await client.query<{ line: string }>(`fetch ${ROWS_AT_ONCE} from lines`)).rows
    let batch = await fetchRows()
    if (batch[0]) listed.columns = Object.keys(JSON.parse(batch[0].line) as object)
    while (batch.length) {
      const file = `data/${name}${listed.files.length ? `-${listed.files.length + 1}` : ''}.jsonl`
      listed.files.push(file)
      const readLines = async function* () {
        let length = 0
        while (batch.length && length < MAX_FILE_LETTERS) {
          const text = batch.map(({ line }) => `${line}\n`).join('')
          length += text.length
          listed.rows += batch.length
          yield text
          batch = await fetchRows()
        }
      }
      yield this.#entry(file, readLines())
    }
    this.rows += listed.rows
    await client.query('close lines')
  }

  /**
   * No upload is larger than 20 MB, whether a picture, a document or part of a response, so none comes near the 4 GiB limit of a zip entry.
   */
  async *#media(): AsyncGenerator<ArchiveEntry> {
    const { id } = this.#row
    const storage = openStorage(this.#runtime.env)
    for await (const key of storage.keysBelow(id)) {
      const bytes = await storage.get(key)
      if (!bytes) continue
      this.files += 1
      yield this.#entry(
        `files/${key.slice(id.length + 1)}`,
        (async function* () {
          yield bytes
        })(),
      )
    }
  }

  async *#manifest(): AsyncGenerator<string> {
    const { id, name, reason, askedAt, dueAt } = this.#row
    const { global } = this.#runtime.database
    const [site] = await global
      .select({ slug: sites.slug, region: sites.region, locale: sites.locale, languages: sites.languages, timeZone: sites.timeZone })
      .from(sites)
      .where(eq(sites.id, id))
    const addresses = await global.select({ host: siteDomains.host }).from(siteDomains).where(eq(siteDomains.siteId, id))
    const { rows } = await global.execute<{ name: string }>(sql`select max(name) as name from parley_migrations where name ~ '^[0-9]'`)
    const head = {
      format: 'parley-site-export',
      version: 1,
      madeAt: this.#runtime.now(),
      schema: rows[0]?.name,
      site: { id, name, ...site, addresses: addresses.map(({ host }) => host) },
      deletion: { askedAt, dueAt, reason },
      leftOut: [...EXCLUDED_TABLES],
      tables: this.#tables,
      rows: this.rows,
    }
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "files": [`
    for (const [index, one] of this.#sums.entries()) yield `${index ? ',' : ''}\n    ${JSON.stringify(one)}`
    yield '\n  ]\n}\n'
  }

  async *#checksums(): AsyncGenerator<string> {
    for (const { sha256, name } of this.#sums) yield `${sha256}  ${name}\n`
  }

  /** The same entry; its checksum is recorded while it is read. */
  #entry(name: string, pieces: AsyncGenerator<string | Uint8Array>): ArchiveEntry {
    const sums = this.#sums
    const hashPieces = async function* () {
      const hash = createHash('sha256')
      let bytes = 0
      for await (const piece of pieces) {
        const part = typeof piece === 'string' ? Buffer.from(piece) : piece
        hash.update(part)
        bytes += part.length
        yield part
      }
      sums.push({ name, bytes, sha256: hash.digest('hex') })
    }
    return { name, pieces: hashPieces() }
  }
}
