import { createSampleParticipant, type SignedInViewer } from './auth/viewer.ts'
import type { Ctx, PersonalReads, Placeholders } from './context.ts'

/** Something that differs from reader to reader, and how to read it for the next. */
export interface PersonalRead {
  read: (ctx: Ctx) => Promise<unknown>
  value: Promise<unknown>
}

/** Fields that tell participants apart. Roles and memberships do not: pages are shared only among people who have the same. */
const IDENTIFYING = ['id', 'sessionId', 'email', 'login', 'confirmed', 'lastSeenAt', 'confirmedAt', 'passwordAt', 'hasSecondStep'] as const

/**
 * A page that is rendered once for all participants to whom it looks the same. The rendering runs as a participant whom no row belongs to;
 * only what is read with `readPersonal` concerns the actual reader. Code that asks who the viewer is in any other way makes the page personal:
 * it is then rendered for each reader.
 */
export class SharedRendering implements PersonalReads {
  readonly viewer: SignedInViewer
  readonly placeholders: Placeholders
  /** By name. */
  readonly reads = new Map<string, PersonalRead>()
  readonly #reader: Ctx
  #isPersonal = false

  constructor(reader: Ctx, placeholders: Placeholders, memberOf: readonly string[]) {
    this.#reader = reader
    this.placeholders = placeholders
    this.viewer = this.#guard({ ...createSampleParticipant(memberOf), siteId: reader.site.id })
  }

  /** True if something on the page depends on who reads it in a way that nobody can repeat for the next reader. */
  get isPersonal(): boolean {
    return this.#isPersonal
  }

  markPersonal(): void {
    this.#isPersonal = true
  }

  read<T>(name: string, read: (ctx: Ctx) => Promise<T>): Promise<T> {
    const known = this.reads.get(name)
    if (known) return known.value as Promise<T>
    const value = read(this.#reader)
    this.reads.set(name, { read, value })
    return value
  }

  #guard(viewer: SignedInViewer): SignedInViewer {
    const guarded = { ...viewer }
    for (const field of IDENTIFYING) {
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

/**
 * Reads what depends on who the viewer is, on a page that otherwise looks the same to many. A later reader gets the same page if this read
 * has the same result for them, so `read` must use nothing of the viewer but what its own context holds.
 * @param name unique on the page
 */
export const readPersonal = <T>(ctx: Ctx, name: readonly unknown[], read: (ctx: Ctx) => Promise<T>): Promise<T> =>
  ctx.sharedRendering ? ctx.sharedRendering.read(JSON.stringify(name), read) : read(ctx)
