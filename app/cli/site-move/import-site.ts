import { drizzle } from 'drizzle-orm/node-postgres'
import type pg from 'pg'
import { buildArchiveKey } from '../../features/sites/deletion/archive.storage.server.ts'
import { type SiteTable, loadSiteTables } from '../../features/sites/deletion/site-tables.server.ts'
import { computeKeyName, getSealingKeys, sealSecret } from '../../server/crypto/seal.ts'
import { listMigrations, withClient } from '../../server/db/migrate.ts'
import { PLATFORM_SITE_ID } from '../../server/db/tenancy.ts'
import type { Runtime } from '../../server/runtime.ts'
import { sealSiteKey } from '../../server/site-key.ts'
import { StartupFault } from '../../server/startup-fault.ts'
import { openStorage, type Storage } from '../../server/storage/storage.ts'
import { SEALED_COLUMNS } from '../sealed-columns.ts'
import { listColumns, PLAIN_FORMATS } from './export-site.ts'
import { type ArchiveHead, type ArchiveLine, readSiteArchive } from './site-archive.ts'
import { FILLED_BY_TRIGGERS, LATER_COLUMNS, MOVED_TABLES } from './site-tables.ts'

const ROWS_AT_ONCE = 500
/** No page that a process kept of a former stay of the site is newer. */
const VERSIONS_SKIPPED = 1000
const UNIQUE_VIOLATION = '23505'

export interface ImportOptions {
  path: string
  passphrase: string
  /** Its only address here, instead of those it had. */
  host: string | undefined
  /** Imports a site whose signing key is not in the file: its links stop working. */
  withoutKey: boolean
}

interface ImportedSite {
  head: ArchiveHead
  /** False if this very file was imported before. */
  isNew: boolean
  rows: number
  files: number
}

type ImportRuntime = Pick<Runtime, 'env' | 'keys' | 'secret'>

/**
 * Brings a site in: all of it in one transaction, after the whole file was read and found unchanged. The installation may serve meanwhile.
 * @throws {StartupFault} with what is in the way; nothing is left of the site then
 */
export async function importSite(runtime: ImportRuntime, databaseUrl: string, options: ImportOptions): Promise<ImportedSite> {
  const { head, signingKey } = await checkFile(options)
  requireSameVersion(head, await listMigrations())
  const sealedKey = sealSigningKey(runtime, head, signingKey, options)
  return withClient(databaseUrl, async (client) => {
    if (await isImported(client, head)) return { head, isNew: false, rows: 0, files: 0 }
    const storage = openStorage(runtime.env)
    await requireFreeAddresses(client, options.host === undefined ? head.site.hosts : [options.host])
    let isCommitting = false
    try {
      await client.query('begin')
      await client.query(
        `${PLAIN_FORMATS}; select set_config('parley.site_id', ${client.escapeLiteral(head.site.id)}, true),
           set_config('parley.importing_site', ${client.escapeLiteral(head.site.id)}, true)`,
      )
      const loader = await SiteLoader.openLoader({ client, runtime, storage, head, sealedKey, host: options.host })
      for await (const line of readSiteArchive(options.path, options.passphrase)) await loader.takeLine(line)
      await requireNoPlatformRole(client, head.site.id)
      const { rowCount } = await client.query(`delete from site_deletions where id = $1 and state = 'erased'`, [head.site.id])
      isCommitting = true
      await client.query('commit')
      // The export that was made when the site was deleted.
      if (rowCount) await storage.removeBelow(buildArchiveKey(head.site.id)).catch(() => {})
      return { head, isNew: true, rows: loader.rows, files: loader.files }
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if (isUniqueViolation(error)) throw new StartupFault(`${head.site.name} is being imported by another command.`, { cause: error })
      // If the connection broke during the commit, the rows may be there: their files stay.
      if (!isCommitting) await storage.removeBelow(head.site.id).catch(() => {})
      throw error
    }
  })
}

const isUniqueViolation = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION && 'table' in error && error.table === 'sites'

/** Reads the whole file before anything is changed. */
async function checkFile({ path, passphrase }: ImportOptions): Promise<{ head: ArchiveHead; signingKey: SigningKey | undefined }> {
  let head: ArchiveHead | undefined
  let signingKey: SigningKey | undefined
  let isWhole = false
  for await (const line of readSiteArchive(path, passphrase)) {
    if (line.kind === 'site') head = line
    else if (line.kind === 'signing-key') signingKey = line
    else if (line.kind === 'end') isWhole = true
  }
  if (!head || !isWhole || head.format !== 1 || head.site.id === PLATFORM_SITE_ID)
    throw new StartupFault(`${path} is no site that this Parley can import.`)
  return { head, signingKey }
}

function requireSameVersion({ migrations }: ArchiveHead, known: readonly string[]): void {
  const [theirs, ours] = [migrations, known].map((names) => names.filter((name) => name.endsWith('.sql')))
  const newer = theirs?.find((name) => !ours?.includes(name))
  if (newer)
    throw new StartupFault(
      `The file is of a newer Parley than this one, which does not know its step ${newer}: update this installation first.`,
    )
  const older = ours?.find((name) => !theirs?.includes(name))
  if (older)
    throw new StartupFault(
      `The file is of an older Parley than this one: it lacks the step ${older}. Update the installation that it comes from, and export it again.`,
    )
}

/** @returns what `sites.sealed_key` becomes: null if the installation's own key signs for the site */
function sealSigningKey(
  runtime: ImportRuntime,
  head: ArchiveHead,
  signing: SigningKey | undefined,
  { withoutKey }: ImportOptions,
): string | null {
  if (signing && computeKeyName(signing.key) !== head.keyName) throw new StartupFault('The key in the file is not the one that it names.')
  if (head.keyName === computeKeyName(runtime.secret)) return null
  if (signing) return sealSiteKey(runtime, head.site.id, signing)
  if (withoutKey) return null
  throw new StartupFault(
    `${head.site.name} is signed for by the key of the installation that it comes from, and the file does not hold that. Export it again with --with-installation-key, if both installations are yours; with --without-key it is imported, but links in its mails stop working, and it forgets which people without an account have taken part.`,
  )
}

/** @throws {StartupFault} if the site is here, and did not come from this file */
async function isImported(client: pg.ClientBase, { exportId, site }: ArchiveHead): Promise<boolean> {
  const { rows } = await client.query<{ name: string; import_id: string | null }>('select name, import_id from sites where id = $1', [
    site.id,
  ])
  const [here] = rows
  if (!here) return false
  if (here.import_id === exportId) return true
  throw new StartupFault(
    `${here.name} is here already. To replace it by the file, delete it first, under Sites, and import the file once it is gone.`,
  )
}

async function requireFreeAddresses(client: pg.ClientBase, hosts: readonly string[]): Promise<void> {
  const { rows } = await client.query<{ host: string }>('select host from site_domains where host = any ($1) order by 1', [hosts])
  if (rows.length)
    throw new StartupFault(`Another site answers at ${rows.map(({ host }) => host).join(', ')}: give this one another address with --host.`)
}

/** Only the installation gives roles on itself, whatever a file says. */
async function requireNoPlatformRole(client: pg.ClientBase, siteId: string): Promise<void> {
  const { rowCount } = await client.query(`select from memberships where site_id = $1 and role like 'platform%'`, [siteId])
  if (rowCount) throw new StartupFault('The file gives somebody a role on the whole installation, which no site can: it was not imported.')
}

type SigningKey = Extract<ArchiveLine, { kind: 'signing-key' }>

interface LoaderParts {
  client: pg.Client
  runtime: ImportRuntime
  storage: Storage
  head: ArchiveHead
  sealedKey: string | null
  host: string | undefined
}

/** Takes the file's lines one after the other. */
class SiteLoader {
  readonly #parts: LoaderParts
  readonly #tables: ReadonlyMap<string, SiteTable>
  #statement = ''
  #skips = false
  #isLater = false
  #waiting: string[] = []
  #file: { key: string; chunks: Buffer[] } | undefined
  rows = 0
  files = 0

  static async openLoader(parts: LoaderParts): Promise<SiteLoader> {
    return new SiteLoader(parts, await loadSiteTables(drizzle(parts.client)))
  }

  private constructor(parts: LoaderParts, tables: readonly SiteTable[]) {
    this.#parts = parts
    this.#tables = new Map(tables.map((table) => [table.name, table]))
  }

  async takeLine(line: ArchiveLine): Promise<void> {
    if (line.kind === 'row') {
      if (this.#skips) return
      this.#waiting.push(line.row)
      if (this.#waiting.length >= ROWS_AT_ONCE) await this.#insertRows()
      return
    }
    if (line.kind === 'bytes') {
      this.#file?.chunks.push(Buffer.from(line.base64, 'base64'))
      return
    }
    await this.#insertRows()
    await this.#storeFile()
    if (line.kind === 'table') await this.#beginTable(line)
    else if (line.kind === 'later') await this.#beginLater(line)
    else if (line.kind === 'secret') await this.#sealAgain(line)
    else if (line.kind === 'file') this.#file = { key: this.#requireOwnKey(line.key), chunks: [] }
    else if (line.kind === 'end') this.#requireCounts(line)
  }

  async #beginTable({ name, columns }: { name: string; columns: string[] }): Promise<void> {
    const { client, head, host } = this.#parts
    if (!['sites', 'site_domains', ...MOVED_TABLES].includes(name))
      throw new StartupFault(`The file holds a table that no site has: ${name}.`)
    await this.#requireColumns(name, columns)
    this.#isLater = false
    // Its only address here is another one.
    this.#skips = name === 'site_domains' && host !== undefined
    if (FILLED_BY_TRIGGERS.includes(name))
      await client.query(`delete from ${client.escapeIdentifier(name)} where site_id = $1`, [head.site.id])
    if (this.#skips) {
      await client.query('insert into site_domains (host, site_id, is_primary) values ($1, $2, true)', [host, head.site.id])
      return
    }
    const generated = name === 'sites' ? ['search_text'] : (this.#tables.get(name)?.generated ?? [])
    const set = this.#chooseValues(name)
    const written = columns.filter((column) => !generated.includes(column))
    const values = written.map((column) => set[column] ?? `(value).${client.escapeIdentifier(column)}`)
    const owner = name === 'sites' ? 'id' : 'site_id'
    const into = client.escapeIdentifier(name)
    this.#statement = `insert into ${into} (${written.map((column) => client.escapeIdentifier(column)).join()})
      select ${values.join()} from (select text::${into} as value from unnest($1::text[]) text) rows
      where (value).${owner} = ${client.escapeLiteral(head.site.id)}`
  }

  /** SQL expressions for the columns whose value in the file is replaced. */
  #chooseValues(table: string): Record<string, string> {
    const { client, head, sealedKey } = this.#parts
    if (table !== 'sites') return LATER_COLUMNS[table] ?? {}
    return {
      status: `'active'`,
      moved_to: 'null',
      // A trigger fills it with the addresses.
      hosts: `''`,
      sealed_key: sealedKey === null ? 'null' : client.escapeLiteral(sealedKey),
      import_id: `${client.escapeLiteral(head.exportId)}::uuid`,
      content_version: `(value).content_version + ${VERSIONS_SKIPPED}`,
      slug: `case when exists (select from sites s where s.slug = (value).slug)
        then (value).slug || '-' || left((value).id::text, 8) else (value).slug end`,
    }
  }

  async #beginLater({ name, columns }: { name: string; columns: string[] }): Promise<void> {
    const { client, head } = this.#parts
    const known = Object.keys(LATER_COLUMNS[name] ?? {})
    if (columns.some((column) => !known.includes(column))) throw new StartupFault(`The file sets columns that no import sets: ${name}.`)
    this.#isLater = true
    this.#skips = false
    const table = client.escapeIdentifier(name)
    this.#statement = `update ${table} t set ${columns.map((column) => `${column} = (r.value).${column}`).join()}
      from (select text::${table} as value from unnest($1::text[]) text) r
      where t.site_id = ${client.escapeLiteral(head.site.id)} and t.id = (r.value).id`
  }

  async #requireColumns(table: string, columns: readonly string[]): Promise<void> {
    const here = await listColumns(this.#parts.client, table)
    if (here.join() !== columns.join()) throw new StartupFault(`The table ${table} of the file is not as this Parley makes it.`)
  }

  async #insertRows(): Promise<void> {
    if (!this.#waiting.length) return
    const { rowCount } = await this.#parts.client.query(this.#statement, [this.#waiting])
    if (rowCount !== this.#waiting.length) throw new StartupFault('The file holds rows of another site: it was not imported.')
    if (!this.#isLater) this.rows += this.#waiting.length
    this.#waiting = []
  }

  /** Under this installation's key. */
  async #sealAgain({ table, column, id, text }: Extract<ArchiveLine, { kind: 'secret' }>): Promise<void> {
    const { client, runtime, head } = this.#parts
    const known = SEALED_COLUMNS.find((one) => one.table === table && one.column === column)
    if (!known) throw new StartupFault(`The file holds a credential for a place that has none: ${table}.${column}.`)
    const sealed = sealSecret(getSealingKeys(runtime), known.place(id), text)
    await client.query(`update ${known.table} set ${known.column} = $1 where site_id = $2 and id = $3`, [sealed, head.site.id, id])
  }

  #requireOwnKey(key: string): string {
    if (!key.startsWith(`${this.#parts.head.site.id}/`)) throw new StartupFault(`The file holds a file of another site: ${key}.`)
    return key
  }

  async #storeFile(): Promise<void> {
    if (!this.#file) return
    await this.#parts.storage.put(this.#file.key, Buffer.concat(this.#file.chunks))
    this.files += 1
    this.#file = undefined
  }

  #requireCounts({ rows, files }: { rows: number; files: number }): void {
    const skipped = this.#parts.host === undefined ? 0 : this.#parts.head.site.hosts.length
    if (rows !== this.rows + skipped || files !== this.files)
      throw new StartupFault('The file does not hold what it says: it was not imported.')
  }
}
