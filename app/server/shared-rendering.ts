import { createSampleParticipant, type SignedInViewer, type Viewer } from './auth/viewer.ts'
import type { Ctx, PersonalReads, Placeholders } from './context.ts'
import type { SiteDb } from './db/client.ts'
import { readUntracked } from './memory/content-reads.ts'

/** A read whose result differs between readers, with the function that repeats it for another reader. */
export interface PersonalRead {
  read: (ctx: Ctx) => Promise<unknown>
  value: Promise<unknown>
}

/** Fields that tell people apart. Roles and memberships do not: pages are shared only among people who have the same. */
const IDENTIFYING = [
  'id',
  'sessionId',
  'email',
  'login',
  'locale',
  'confirmed',
  'lastSeenAt',
  'confirmedAt',
  'passwordAt',
  'hasSecondStep',
] as const

/** Whose page it is: everybody's, or the administration's. */
export type PageAudience = 'everybody' | 'administration'

/**
 * Renders a page once for all who would see the same. For signed-in people the viewer is a sample person who owns no rows; only `readPersonal`
 * reads as the actual reader. If code reads the viewer's identity in any other way, the page is marked personal and rendered for each reader.
 * Visitors are all alike, save for the ids of their forms.
 *
 * People with a role have to see at once what changes, and changes of drafts end nothing that is remembered. So for them a page for everybody is
 * also personal as soon as it asks what their roles allow, except through `readRoleHolder`, and a page of the administration as soon as it reads
 * from the database by itself, except for what `readSiteWide` remembers.
 */
export class SharedRendering implements PersonalReads {
  readonly viewer: Viewer
  readonly roleHolder: Viewer
  readonly sample: Viewer
  readonly placeholders: Placeholders
  /** By name. */
  readonly reads = new Map<string, PersonalRead>()
  readonly #reader: Ctx
  /** By name. */
  readonly #found: ReadonlyMap<string, unknown>
  readonly #audience: PageAudience
  #isPersonal = false

  /** @param found what the reads of the page, as far as they are known, have just found for the reader */
  constructor(
    reader: Ctx,
    placeholders: Placeholders,
    found: ReadonlyMap<string, unknown> = new Map(),
    audience: PageAudience = 'everybody',
  ) {
    const { viewer, site } = reader
    this.#reader = reader
    this.#found = found
    this.#audience = audience
    this.placeholders = placeholders
    const sample = viewer.kind === 'user' ? createSample(viewer, site.id) : viewer
    const guarded = sample.kind === 'user' && sample.roles.length > 0 && audience === 'everybody' ? (['roles'] as const) : []
    this.sample = this.#guard(sample, guarded)
    this.roleHolder = this.#guard(sample, IDENTIFYING)
    this.viewer = this.#guard(sample, [...IDENTIFYING, ...guarded])
  }

  /** True if the page depends on its reader other than through `readPersonal`, so it cannot be shared. */
  get isPersonal(): boolean {
    return this.#isPersonal
  }

  markPersonal(): void {
    this.#isPersonal = true
  }

  read<T>(name: string, read: (ctx: Ctx) => Promise<T>): Promise<T> {
    if (this.viewer.kind !== 'user') return read(this.#reader)
    const known = this.reads.get(name)
    if (known) return known.value as Promise<T>
    const value = this.#found.has(name) ? Promise.resolve(this.#found.get(name) as T) : readUntracked(() => read(this.#reader))
    this.reads.set(name, { read, value })
    return value
  }

  /** For a page of the administration, a handle that marks the page personal as soon as it is used. */
  guardDb(db: SiteDb): SiteDb {
    if (this.#audience === 'everybody') return db
    const markPersonal = () => this.markPersonal()
    return new Proxy(db, {
      get: (target, name, receiver) => {
        if (name !== 'siteId' && name !== 'isJoined') markPersonal()
        return Reflect.get(target, name, receiver) as unknown
      },
    })
  }

  #guard(viewer: Viewer, fields: readonly (keyof SignedInViewer)[]): Viewer {
    if (viewer.kind === 'visitor') return viewer
    const guarded = { ...viewer }
    for (const field of fields) {
      Object.defineProperty(guarded, field, {
        enumerable: true,
        get: () => {
          this.markPersonal()
          return viewer[field]
        },
      })
    }
    return guarded
  }
}

const createSample = ({ memberOf, type, roles, roleName }: SignedInViewer, siteId: string): SignedInViewer => ({
  ...createSampleParticipant(memberOf),
  siteId,
  type,
  roles,
  roleName,
})

/**
 * The viewer, to ask what their roles allow. Only for what shows published content alone: those with the same roles share it until that content
 * changes.
 */
export const readRoleHolder = ({ viewer, sharedRendering }: Ctx): Viewer => sharedRendering?.roleHolder ?? viewer

/** The name of whoever reads a page, to be shown on it; empty for a visitor. */
export const readReaderName = ({ viewer, sharedRendering }: Ctx): string =>
  viewer.kind === 'user' ? (sharedRendering?.placeholders.login ?? viewer.login) : ''

/**
 * Reads what depends on who the viewer is, on a page that otherwise looks the same to many. A later reader gets the same page if this read
 * has the same result for them, so `read` must use nothing of the viewer but what its own context holds.
 * @param name unique on the page
 * @param read its result is compared as JSON
 */
export const readPersonal = <T>(ctx: Ctx, name: readonly unknown[], read: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.sharedRendering ? ctx.sharedRendering.read(JSON.stringify(name), read) : read(ctx)
