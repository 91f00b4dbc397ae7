import { randomBytes } from 'node:crypto'
import type { SignedInViewer } from '../server/auth/viewer.ts'
import type { Ctx, ReaderFacts } from '../server/context.ts'
import type { ContentAt, ContentChanges } from '../server/memory/content-changes.ts'
import { ContentMemory } from '../server/memory/content-memory.ts'
import { type ContentNames, trackReads } from '../server/memory/content-reads.ts'
import type { MemoryBudget } from '../server/memory/memory-budget.ts'
import { isContentCurrent } from '../server/public-reads.ts'
import { type PageAudience, type PersonalRead, SharedRendering } from '../server/shared-rendering.ts'
import { createSending } from '../features/participation/sending.server.ts'
import { type FilledPage, PageTemplate, PLACEHOLDERS } from './page-template.ts'
import type { RenderedPage } from './page-store.ts'

interface Options {
  budget: MemoryBudget
  maxBytes?: number
  changes?: ContentChanges
  /** How long a page is used: its text may depend on time ("closes in 9 days"). */
  ttlMs: number
  now?: () => number
}

/** What is kept of a page, under a key that says all that the page depends on but its reader. */
interface KeptPage {
  /** Undefined: the page has to be rendered for each reader. */
  reads: ReadonlyMap<string, PersonalRead['read']> | undefined
  /** By what the personal reads found. */
  templates: Map<string, PageTemplate>
  expires: number
  /** What it was rendered from. */
  names: ContentNames
}

interface RenderedTemplate {
  rendering: SharedRendering
  /** Undefined for a page that has to be rendered for each reader. */
  template: PageTemplate | undefined
  names: ContentNames
  /** By the personal reads. */
  found: string
}

/** More than these look for different things: the oldest is forgotten. */
const MAX_TEMPLATES = 16
const KEPT_BYTES = 500
/** By the personal reads of a page that has none. */
const NOTHING_FOUND = '[]'

/**
 * Pages that many share but for a few facts about each reader: the name and token of people who are signed in, the id of a form. Those with the
 * same roles whose personal reads return the same results share one rendering, which is completed for each of them.
 */
export class ReaderPages {
  readonly #pages: ContentMemory<KeptPage>
  readonly #ttlMs: number
  readonly #now: () => number

  constructor(options: Options) {
    this.#ttlMs = options.ttlMs
    this.#now = options.now ?? Date.now
    this.#pages = new ContentMemory({ ...options, name: 'readers’ pages' })
  }

  get bytes(): number {
    return this.#pages.bytes
  }

  /** The page for a visitor, if it is kept: nothing is read for it, so it need not wait. */
  findForVisitor(key: string, reader: Ctx): (FilledPage & { isKept: boolean }) | undefined {
    const template = this.#pages.find(reader.site, key)?.templates.get(NOTHING_FOUND)
    return template && { ...template.complete(getFacts(reader, '')), isKept: true }
  }

  /**
   * @param key all that the page depends on, but who reads it
   * @param token of the reader's session; empty for a visitor
   * @param render renders the page as the viewer of the given rendering
   * @returns undefined if the page has to be rendered for this reader
   */
  async obtain(
    key: string,
    reader: Ctx,
    token: string,
    render: (rendering: SharedRendering) => Promise<RenderedPage>,
    audience: PageAudience = 'everybody',
  ): Promise<(FilledPage & { isKept: boolean }) | undefined> {
    // People with a role see at once what they have just saved, in every process.
    const mustBeCurrent = audience === 'everybody' && reader.viewer.kind === 'user' && reader.viewer.roles.length > 0
    if (mustBeCurrent && !(await isContentCurrent(reader))) return undefined
    const kept = this.#pages.find(reader.site, key)
    if (kept && !kept.reads) return undefined
    const found = kept?.reads && (await readAll(reader, kept.reads))
    const known = found && kept.templates.get(JSON.stringify(found))
    if (known) return { ...known.complete(getFacts(reader, token)), isKept: true }
    const rendering = new SharedRendering(reader, PLACEHOLDERS, new Map(found), audience)
    const { value: rendered, names } = await trackReads(() => render(rendering))
    const template = rendering.isPersonal || !rendered.shareable ? undefined : PageTemplate.parse(rendered)
    // Only what is kept is worth it.
    if (rendered.status === 200) await template?.compress()
    // The error may come from rendering as a sample person: render again as the actual reader.
    if (rendered.status >= 500) return undefined
    const completed = template && { ...template.complete(getFacts(reader, token)), isKept: false }
    if (rendered.status !== 200) return completed
    const seen = await Promise.all([...rendering.reads].map(async ([name, { value }]) => [name, await value]))
    this.#keep(reader.site, key, { rendering, template, names, found: JSON.stringify(seen) })
    return completed
  }

  #keep(site: ContentAt, key: string, made: RenderedTemplate): void {
    const before = this.#pages.find(site, key)
    const names = [...made.rendering.reads.keys()]
    // Templates are looked up by the results of the page's reads, so every rendering must make the same reads.
    const asksTheSame = !before?.reads || (before.reads.size === names.length && names.every((name) => before.reads?.has(name)))
    const reads = made.template && asksTheSame ? new Map([...made.rendering.reads].map(([name, { read }]) => [name, read])) : undefined
    const templates = new Map(reads ? before?.templates : [])
    if (made.template && reads) templates.set(made.found, made.template)
    const [oldest] = templates.keys()
    if (oldest !== undefined && templates.size > MAX_TEMPLATES) templates.delete(oldest)
    const bytes = [...templates.values()].reduce((sum, template) => sum + template.bytes, KEPT_BYTES + 2 * key.length)
    const expires = before?.expires ?? this.#now() + this.#ttlMs
    const allNames = new Set([...made.names, ...(before?.names ?? [])])
    this.#pages.keep(site, key, { value: { reads, templates, expires, names: allNames }, bytes }, allNames, expires - this.#now())
  }
}

/** True for a participant who may share pages. */
export const isPlainParticipant = (viewer: SignedInViewer, site: string): boolean =>
  viewer.type === 'participant' && viewer.roles.length === 0 && isPlain(viewer, site)

/** The same for an administrator of the site, a hub or a project. */
export const isPlainAdministrator = (viewer: SignedInViewer, site: string): boolean =>
  viewer.type === 'administrator' && viewer.roles.length > 0 && isPlain(viewer, site)

/** Nothing about them differs from others with the same roles but what a `SharedRendering` guards. */
const isPlain = ({ siteId, memberOf, owesSecondStep, prolonged }: SignedInViewer, site: string): boolean =>
  siteId === site && memberOf !== undefined && !owesSecondStep && !prolonged

/** What the reads find for this reader, with their names. */
const readAll = (ctx: Ctx, reads: NonNullable<KeptPage['reads']>): Promise<[string, unknown][]> =>
  Promise.all([...reads].map(async ([name, read]): Promise<[string, unknown]> => [name, await read(ctx)]))

function getFacts({ viewer, now }: Ctx, token: string): ReaderFacts {
  const { id: sendingId, sendKey } = createSending(now())
  const own = { token, nonce: randomBytes(16).toString('base64'), sendingId, sendKey }
  if (viewer.kind === 'visitor') return { id: '', email: '', login: '', lastSeenAt: null, ...own }
  const { id, email, login, lastSeenAt } = viewer
  return { id, email, login, lastSeenAt: lastSeenAt?.toISOString() ?? null, ...own }
}
