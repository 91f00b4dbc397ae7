import { and, asc, desc, eq, isNotNull, ne, or } from 'drizzle-orm'
import { checkChain } from '../../features/audit/audit.chain.server.ts'
import type { AuditAction } from '../../features/audit/audit.schema.ts'
import { recordAudit } from '../../features/audit/audit.server.ts'
import { isId } from '../../lib/uuid.ts'
import { createCtx } from '../../server/context.ts'
import { budgetSecrets } from '../../server/db/schema/budgets.ts'
import { siteDomains, sites } from '../../server/db/schema/sites.ts'
import { PLATFORM_SITE_ID } from '../../server/db/tenancy.ts'
import type { Runtime } from '../../server/runtime.ts'
import { StartupFault } from '../../server/startup-fault.ts'
import { type ExportOptions, exportSite } from './export-site.ts'
import { type HoldTimes, whileHeld } from './hold-writes.ts'
import { type ImportOptions, importSite } from './import-site.ts'
import type { MoveRuntime } from './move-runtime.ts'

type SiteRow = typeof sites.$inferSelect

/** @throws {StartupFault} unless one site has this id, short name or address */
async function requireSite({ database }: Runtime, named: string): Promise<SiteRow> {
  const name = named.toLowerCase()
  const rows = await database.global
    .selectDistinct({ site: sites })
    .from(sites)
    .leftJoin(siteDomains, eq(siteDomains.siteId, sites.id))
    .where(
      and(
        ne(sites.id, PLATFORM_SITE_ID),
        or(eq(sites.slug, name), eq(siteDomains.host, name), isId(name) ? eq(sites.id, name) : undefined),
      ),
    )
  const [found] = rows
  if (!found) throw new StartupFault(`There is no site ${named}: give its short name, such as riverbend, or its address.`)
  if (rows.length > 1) throw new StartupFault(`Several sites are called ${named}: give the address of one.`)
  return found.site
}

/** In the platform's trail and, if `inOwn`, in the site's. There is no account behind a command: the operator of the machine ran it. */
async function recordAct(runtime: Runtime, site: SiteRow, action: AuditAction, facts: object, inOwn: boolean): Promise<void> {
  const [platform] = await runtime.database.global.select().from(sites).where(eq(sites.id, PLATFORM_SITE_ID))
  if (!platform) throw new Error('The platform’s own site does not exist')
  const detail = { title: { [site.locale]: site.name }, ...facts }
  for (const row of inOwn ? [site, platform] : [platform]) {
    const ctx = createCtx(runtime, { ...row, host: '', primaryHost: '' })
    const entry = { action, siteId: row.id, subject: { type: 'sites', id: site.id }, detail }
    await runtime.database.site(row.id).tx((tx) => recordAudit(ctx, tx, entry))
  }
}

/** Writes a site's file. For a move the site takes no writes from then on. */
export async function runExport(
  { runtime, databaseUrl, say }: MoveRuntime,
  named: string,
  options: ExportOptions,
  times?: HoldTimes,
): Promise<void> {
  const site = await requireSite(runtime, named)
  if (site.status === 'moved')
    throw new StartupFault(`${site.name} has moved to ${site.movedTo ?? 'another installation'}: export it there.`)
  const isMove = options.purpose === 'move'
  if (isMove) await warnOfOpenVotes(runtime, site, say)
  await recordAct(runtime, site, 'sites.export', { reason: `parley site export (${options.purpose})` }, true)
  const began = performance.now()
  const write = () => exportSite(runtime, databaseUrl, site, options)
  const { rows, files } = await (isMove ? whileHeld(runtime.database, site.id, write, times) : write())
  say(`${options.path} holds ${site.name}: ${rows} rows and ${files} ${files === 1 ? 'file' : 'files'}, sealed with the key file.`)
  if (!isMove) return say(`It is a copy of this moment. ${site.name} goes on as before.`)
  say(`${site.name} has taken no writes for ${Math.ceil((performance.now() - began) / 1000)} s, and takes none until you say how it went:`)
  say(`  parley site moved ${site.slug} --to <its new address>   once it is imported there`)
  say(`  parley site reopen ${site.slug}                         if it stays here`)
}

async function warnOfOpenVotes({ database }: Runtime, { id }: SiteRow, say: (line: string) => void): Promise<void> {
  const open = await database
    .site(id)
    .read((tx) => tx.select({ id: budgetSecrets.roundId }).from(budgetSecrets).where(eq(budgetSecrets.siteId, id)))
  if (open.length)
    say('A vote on a budget is under way: after the move, ballots that were cast before can no longer be replaced. They count.')
}

export async function runImport({ runtime, databaseUrl, say }: MoveRuntime, options: ImportOptions): Promise<void> {
  const { head, isNew, rows, files } = await importSite(runtime, databaseUrl, options)
  const { id, name } = head.site
  if (!isNew) return say(`${name} was imported from this file before. Nothing was changed.`)
  const [site] = await runtime.database.global.select().from(sites).where(eq(sites.id, id))
  if (!site) throw new Error('The imported site was not found again')
  // Checked as it came, before this import is its next entry.
  const chain = await checkChain(runtime.database.site(id))
  await recordAct(runtime, site, 'sites.import', { exported: head.at }, true)
  say(`${name} is here: ${rows} rows and ${files} ${files === 1 ? 'file' : 'files'}, as they were at ${head.at}.`)
  if (chain.brokenAt === null) say(`All ${chain.lines} entries of its audit trail are intact.`)
  else say(`Its audit trail is broken at entry ${chain.brokenAt}, as it is in the file.`)
  say('People sign in again with the passwords they have. Passkeys work at the addresses where they were made.')
  if (head.purpose === 'backup') say('The file is a backup of a site that went on: what it says may have been sent or answered since.')
}

/** Records that a site has moved to another installation: requests for its addresses are redirected there. */
export async function recordMove({ runtime, say }: MoveRuntime, named: string, origin: string): Promise<void> {
  const site = await requireSite(runtime, named)
  const moved = await runtime.database.global
    .update(sites)
    .set({ status: 'moved', movedTo: origin })
    .where(and(eq(sites.id, site.id), or(eq(sites.status, 'moving'), eq(sites.status, 'moved'))))
    .returning({ id: sites.id })
  if (!moved.length) throw new StartupFault(`${site.name} was not exported for a move: export it first, without --while-serving.`)
  await recordAct(runtime, site, 'sites.move', { to: origin }, false)
  say(
    `Whoever asks for ${site.name} here is sent on to ${origin}, with the same path. Its rows and files stay here until you delete it, under Sites.`,
  )
}

export async function reopenSite({ runtime, say }: MoveRuntime, named: string): Promise<void> {
  const site = await requireSite(runtime, named)
  const opened = await runtime.database.global
    .update(sites)
    .set({ status: 'active', movedTo: null })
    .where(and(eq(sites.id, site.id), or(eq(sites.status, 'moving'), eq(sites.status, 'moved'))))
    .returning({ id: sites.id })
  if (!opened.length) throw new StartupFault(`${site.name} is neither moving nor moved.`)
  await recordAct(runtime, site, 'sites.resume', {}, false)
  say(`${site.name} takes writes again. If it was imported elsewhere meanwhile, there are two of it: delete the other one.`)
}

/** Prints which installation answers for which host, for proxies. */
export async function printDirectory({ runtime, say }: MoveRuntime): Promise<void> {
  const here = runtime.env.PUBLIC_URL ? new URL(runtime.env.PUBLIC_URL).origin : `http://${runtime.env.HOST}:${runtime.env.PORT}`
  const rows = await runtime.database.global
    .select({ host: siteDomains.host, status: sites.status, movedTo: sites.movedTo })
    .from(siteDomains)
    .innerJoin(sites, eq(sites.id, siteDomains.siteId))
    .where(and(ne(sites.id, PLATFORM_SITE_ID), or(ne(sites.status, 'suspended'), isNotNull(sites.movedTo))))
    .orderBy(desc(siteDomains.isPrimary), asc(siteDomains.host))
  const hosts = Object.fromEntries(rows.map(({ host, status, movedTo }) => [host, status === 'moved' && movedTo ? movedTo : here]))
  say(JSON.stringify({ format: 'parley-directory', version: 1, hosts }, null, 2))
}
