import { type ContentLanguage, DEFAULT_LANGUAGE, type Language, toInterfaceLanguage } from '../lib/languages.ts'
import { API_TOKEN_PREFIX, VISITOR, loadApiTokenViewer, loadViewer, type Viewer, withholdRoles } from './auth/viewer.ts'
import { joinTx, type SiteDb, type Tx } from './db/client.ts'
import type { Runtime } from './runtime.ts'
import type { Site } from './site-directory.ts'
import { withSigningKey } from './site-key.ts'

/** What of the reader is written into a page as it is, in the place of a placeholder. */
export interface ReaderFacts {
  id: string
  email: string
  login: string
  /** ISO 8601. */
  lastSeenAt: string | null
  /** Of their session. */
  token: string
  /** Of the response's content policy. */
  nonce: string
  /** Of the form on the page, if it has one: see `Sending`. */
  sendingId: string
  sendKey: string
}

export type Placeholders = Readonly<Record<keyof ReaderFacts, string>>

/** How a page that is rendered for many people at once reads what is one person's: see `readPersonal`. For visitors there is nothing of that kind. */
export interface PersonalReads {
  placeholders: Placeholders
  /** See `readRoleHolder`. */
  roleHolder: Viewer
  /** Whom `readPublic` reads for: a person who owns no rows, and whose roles the page may not ask for. */
  sample: Viewer
  /** Stops the page from being shared: something on it depends on its reader in a way that `read` does not cover. */
  markPersonal(): void
  read<T>(name: string, read: (ctx: Ctx) => Promise<T>): Promise<T>
}

/** What every use-case receives: the site, its rows, the viewer and the language. */
export interface Ctx {
  site: Site
  viewer: Viewer
  /** Of the interface: texts, formats, sorting. */
  language: Language
  /** In which the viewer reads what the site wrote: `language`, or one that the site added. Set both with `withLanguage`. */
  contentLanguage: ContentLanguage
  db: SiteDb
  /** The request's network address, for rate limits and the audit trail; null in jobs and on the command line. */
  address: string | null
  /** The User-Agent header; null in jobs and on the command line. */
  userAgent: string | null
  requestId: string
  /** Why the viewer wants the personal data that they download, as the request says it: `requireDownloadReason` of the audit trail reads it. */
  reason?: string
  /** The client saves without naming the version it changes: the audit trail says so. */
  savesUnchecked?: boolean
  /**
   * Set while a page is rendered for many people, each of whom gets facts of their own. A viewer who is signed in is then a sample, and personal
   * data is read through this.
   */
  sharedRendering?: PersonalReads
  runtime: Runtime
  now: () => Date
}

export function createCtx(
  runtime: Runtime,
  site: Site,
  options: { language?: ContentLanguage } & Partial<Pick<Ctx, 'viewer' | 'address' | 'userAgent' | 'requestId' | 'reason'>> = {},
): Ctx {
  const contentLanguage = options.language ?? site.locale ?? DEFAULT_LANGUAGE
  return {
    site,
    viewer: options.viewer ?? VISITOR,
    language: toInterfaceLanguage(contentLanguage, site.locale),
    contentLanguage,
    db: runtime.database.site(site.id),
    address: options.address ?? null,
    userAgent: options.userAgent ?? null,
    requestId: options.requestId ?? crypto.randomUUID(),
    ...(options.reason !== undefined && { reason: options.reason }),
    runtime: withSigningKey(runtime, site),
    now: runtime.now,
  }
}

/** The same context for somebody who reads in another language. */
export const withLanguage = (ctx: Ctx, language: ContentLanguage): Ctx => ({
  ...ctx,
  language: toInterfaceLanguage(language, ctx.site.locale),
  contentLanguage: language,
})

/** The same context inside an open transaction, for calling one use-case from another. */
export const withTx = (ctx: Ctx, tx: Tx): Ctx => ({ ...ctx, db: joinTx(ctx.db.siteId, tx) })

export const withViewer = (ctx: Ctx, token: string | undefined): Promise<Ctx> => addViewer(ctx, token, false)

/** The same for what many people send at the same moment, such as answers and ballots: their tokens are looked up in one statement. */
export const withSender = (ctx: Ctx, token: string | undefined): Promise<Ctx> => addViewer(ctx, token, !ctx.db.isJoined)

async function addViewer(ctx: Ctx, token: string | undefined, isTogether: boolean): Promise<Ctx> {
  const viewer = await loadViewer({ db: ctx.db, database: ctx.runtime.database, isTogether }, token, ctx.now())
  return { ...ctx, viewer: withholdRoles(viewer, ctx.site) }
}

/** The same for a request that only reads: the holder of a token is remembered for a second, until anything is written for the site. */
export async function withReader(ctx: Ctx, token: string | undefined): Promise<Ctx> {
  const { viewers } = ctx.runtime
  if (!viewers || !token) return withViewer(ctx, token)
  return { ...ctx, viewer: await viewers.obtain(ctx.site.id, token, async () => (await withViewer(ctx, token)).viewer) }
}

/** The viewer of a request to the API, where programs come with tokens of their own. */
export async function withApiViewer(ctx: Ctx, token: string | undefined, does: 'reads' | 'writes' | 'sends' = 'writes'): Promise<Ctx> {
  if (token?.startsWith(API_TOKEN_PREFIX)) return { ...ctx, viewer: await loadApiTokenViewer(ctx.db, token, ctx.now()) }
  if (does === 'reads') return withReader(ctx, token)
  return does === 'sends' ? withSender(ctx, token) : withViewer(ctx, token)
}

/** Id of the viewer's account, if it is one of this site: visitors and people of the platform have none here. */
export const findOwnId = ({ viewer, site }: Ctx): string | undefined =>
  viewer.kind === 'user' && viewer.siteId === site.id ? viewer.id : undefined
