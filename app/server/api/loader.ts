import type { Ctx } from '../context.ts'
import type { Registry } from './create-registry.ts'
import type { AnyRow } from './implement.ts'
import { isInScope } from './token-scopes.ts'

/** Rows of one request, each fetched at most once and only through its resource's `load`, which decides what the viewer sees. */
export class Loader {
  readonly #ctx: Ctx
  readonly #registry: Registry
  readonly #known = new Map<string, AnyRow | undefined>()

  constructor(ctx: Ctx, registry: Registry) {
    this.#ctx = ctx
    this.#registry = registry
  }

  /** Those of the requested rows that the viewer may see; none outside the scopes of a program's token. */
  async loadVisible(type: string, ids: Iterable<string>): Promise<ReadonlyMap<string, AnyRow>> {
    const wanted = new Set(isInScope(this.#ctx.viewer, type, 'read') ? ids : [])
    const missing = [...wanted].filter((id) => !this.#known.has(keyOf(type, id)))
    if (missing.length > 0) {
      const rows = (await this.#registry.find(type)?.implementation.load?.(this.#ctx, missing)) ?? []
      for (const id of missing) this.#known.set(keyOf(type, id), undefined)
      this.remember(type, rows)
    }
    const found = new Map<string, AnyRow>()
    for (const id of wanted) {
      const row = this.#known.get(keyOf(type, id))
      if (row) found.set(id, row)
    }
    return found
  }

  /** Caches rows that a list or use-case returned: the viewer may see them. */
  remember(type: string, rows: readonly AnyRow[]): void {
    for (const row of rows) this.#known.set(keyOf(type, row.id), row)
  }

  /** Call after a write: cached rows may be out of date. */
  forget(): void {
    this.#known.clear()
  }
}

const keyOf = (type: string, id: string): string => `${type}/${id}`
