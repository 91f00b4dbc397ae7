import type { AnyShape } from '../../lib/api-client/resource-shape.ts'
import type { CreateInput, DocumentAttributes, FilterInput, SortName, UpdateInput } from '../../lib/api-client/resource-types.ts'
import type { Translated } from '../../lib/translated.ts'
import type { Ctx } from '../context.ts'

/**
 * Serves a declared shape: where its rows come from and which use-cases change them. The engine does the rest (negotiation,
 * parsing, documents, paging, includes, errors).
 *
 * In `features/projects/projects.resource.server.ts`:
 *
 * ```ts
 * export const projectResource = implementResource(projectShape, {
 *   // Those of the requested rows that the viewer may see: one query, any order. A missing row is answered as not found and is
 *   // neither included nor linked to. Single reads, includes, linkage and relationship writes all depend on this one check.
 *   load: (ctx, ids) => projectsById(ctx, ids),
 *   // One page of the rows the viewer may see. `query` is validated: filter, sort, page.offset, page.limit.
 *   list: (ctx, query) => listProjects(ctx, query),                   // { rows, total }
 *   can: (ctx, row) => ({ update: decide(ctx.viewer, 'projects.edit', row).ok, publish: … }),
 *   lockVersion: (row) => row.lockVersion,                            // shapes with `locked`
 *   // Exactly the declared attributes, translated ones in all their languages; dates may be Date objects.
 *   attributes: (row, ctx, can) => ({ slug: row.slug, title: row.title, status: row.status, opensAt: row.opensAt }),
 *   relationships: {
 *     hub: { id: (row) => row.hubId },                                // to-one, from the row itself
 *     surveys: { ids: (ctx, rows) => surveyIdsByProject(ctx, rows), filter: (row) => ({ project: row.id }) },
 *   },
 *   create: (ctx, input) => createProject(ctx, input),                // a row, or an id to load
 *   update: (ctx, row, input, lock) => updateProject(ctx, row.id, input, lock.version),
 *   remove: (ctx, row) => deleteProject(ctx, row.id),
 * })
 * ```
 *
 * - Write `load` (or `create`, if there is no `load`) first: TypeScript infers the row's type from it.
 * - Use-cases throw `AppError`. Pointers of their faults are relative to the input (`/slug`); the engine turns them into
 *   `/data/attributes/slug` or `/data/relationships/hub/data`.
 * - A save with an old lock version throws `new AppError('stale')`; the engine adds both versions to `meta`.
 * - Ids in an input's relationships were checked with the target's `load`: the viewer may see what they point to. `create` or
 *   `put` itself checks a relationship that is `seenByCreate`.
 */
export function implementResource<S extends AnyShape & { kind: 'collection' }, Row extends { id: string }>(
  shape: S,
  implementation: ResourceImplementation<S, Row>,
): AnyResource {
  return { shape, implementation }
}

/**
 * Serves a declared singleton:
 *
 * ```ts
 * export const currentSiteResource = implementSingleton(currentSiteShape, {
 *   read: (ctx) => currentSite(ctx),                 // null: the document's data is null
 *   attributes: (row) => ({ site: row.site }),
 * })
 * ```
 */
export function implementSingleton<S extends AnyShape & { kind: 'singleton' }, Row extends { id: string }>(
  shape: S,
  implementation: SingletonImplementation<S, Row>,
): AnyResource {
  return { shape, implementation }
}

export interface ListQuery<S extends AnyShape = AnyShape> {
  readonly filter: FilterInput<S>
  /** The client's sort order, else the shape's default. Add the id as the last key, so that pages do not overlap. */
  readonly sort: readonly { readonly by: SortName<S>; readonly descending: boolean }[]
  readonly page: {
    readonly number: number
    readonly size: number
    readonly offset: number
    readonly limit: number
  }
}

export interface ListResult<Row> {
  readonly rows: readonly Row[]
  /** Across all pages. */
  readonly total: number
  /** Extra members of the document's `meta`, such as counts by status. */
  readonly meta?: Record<string, unknown>
}

/** The version the client believes it is changing; undefined unless the shape is `locked`. */
interface Lock<S extends AnyShape> {
  readonly version: S['locked'] extends true ? number : undefined
  /** The client named no version: what was saved meanwhile is overwritten. */
  readonly isUnchecked: boolean
}

type Can<S extends AnyShape> = Readonly<Record<S['can'][number], boolean>>
type DateOr<T> = T | (string extends T ? Date : never)
type TranslatedNames<S extends AnyShape> = {
  [K in keyof S['attributes']]: S['attributes'][K] extends { kind: 'translated' } ? K : never
}[keyof S['attributes']] &
  string

/** What `attributes` returns: every declared readable attribute, translated ones in all their languages. */
type SerialisedAttributes<S extends AnyShape> = {
  readonly [K in keyof Omit<DocumentAttributes<S>, TranslatedNames<S> | `${TranslatedNames<S>}Translations`>]: DateOr<
    DocumentAttributes<S>[K]
  >
} & { readonly [K in TranslatedNames<S>]: Translated }

export type Writers = 'anyone' | 'signed-in' | 'administrators'

interface ImplementationFunctions<S extends AnyShape, Row> {
  load?(ctx: Ctx, ids: readonly string[]): Promise<readonly Row[]>
  list?(ctx: Ctx, query: ListQuery<S>): Promise<ListResult<Row>>
  can?(ctx: Ctx, row: Row): Can<S>
  lockVersion?(row: Row): number
  attributes(row: Row, ctx: Ctx, can: Can<S>): SerialisedAttributes<S>
  relationships?: RelationshipImplementations<S, Row>
  /**
   * Who may ever create one, decided before the body is read; `create` decides the rest. Only administrators, unless it says otherwise.
   */
  readonly creators?: Writers
  /** The same for changing and removing one: who may ever do so. */
  readonly changers?: Writers
  /** Returns the new row, or only its id if `load` can find it. */
  create?(ctx: Ctx, input: CreateInput<S>): Promise<Row | string>
  /** Returns the changed row, or nothing if `load` can find it. */
  update?(ctx: Ctx, row: Row, input: UpdateInput<S>, lock: Lock<S>): Promise<Row | void>
  /** Creates or fully replaces the resource with the client's id. */
  put?(ctx: Ctx, input: CreateInput<S>, lock: { version: number | undefined }): Promise<{ created: boolean; row: Row | string }>
  remove?(ctx: Ctx, row: Row): Promise<void>
}

/** The functions each operation needs; any that starts from a visible resource needs `load`. */
interface FunctionsByOperation {
  list: 'list'
  get: 'load'
  create: 'create'
  update: 'load' | 'update'
  put: 'load' | 'put'
  remove: 'load' | 'remove'
}

type RequiredFunctions<S extends AnyShape> =
  | FunctionsByOperation[S['operations'][number]]
  | ([S['can'][number]] extends [never] ? never : 'can')
  | (S['locked'] extends true ? 'lockVersion' : never)
  | ([keyof S['relationships']] extends [never] ? never : 'relationships')

/** Requires a function for everything the shape declares. */
type RequiredImplementation<S extends AnyShape> = { readonly [K in RequiredFunctions<S>]: unknown }

/** How a to-one relationship is read and written. */
type ToOneImplementation<Row> = (
  | { /** From the row itself. */ id(row: Row): string | null }
  | {
      /** For all rows at once, keyed by row id. */ ids(ctx: Ctx, rows: readonly Row[]): Promise<ReadonlyMap<string, string | null>>
    }
) & {
  /**
   * Everyone who sees the row also sees the target: skips the query that checks.
   * `in-scope`: a program whose token may not read such targets does not get their ids.
   */
  alwaysVisible?: boolean | 'in-scope'
  /** `create` or `put` itself refuses targets the creator may not see: skips the query that checks. */
  seenByCreate?: boolean
  /** PATCH of the relationship itself. Without it: 405. */
  replace?(ctx: Ctx, row: Row, id: string | null): Promise<void>
}

/** How a to-many relationship is read and written. */
interface ToManyImplementation<Row> {
  /** Ids for all rows at once, keyed by row id, in display order. The engine drops those the viewer may not see. */
  ids(ctx: Ctx, rows: readonly Row[]): Promise<ReadonlyMap<string, readonly string[]>>
  /** The equivalent filter of the target's own collection: lets `GET /{type}/{id}/{name}` filter, sort and page in the database. */
  filter?(row: Row): Record<string, unknown>
  replace?(ctx: Ctx, row: Row, ids: readonly string[]): Promise<void>
  add?(ctx: Ctx, row: Row, ids: readonly string[]): Promise<void>
  remove?(ctx: Ctx, row: Row, ids: readonly string[]): Promise<void>
}

type RelationshipImplementations<S extends AnyShape, Row> = {
  readonly [K in keyof S['relationships']]: S['relationships'][K] extends { kind: 'to-one' }
    ? ToOneImplementation<Row>
    : ToManyImplementation<Row>
}

export type ResourceImplementation<S extends AnyShape, Row extends { id: string }> = ImplementationFunctions<S, Row> &
  RequiredImplementation<S>

export type SingletonImplementation<S extends AnyShape, Row extends { id: string }> = {
  read(ctx: Ctx): Promise<Row | null>
} & Pick<ImplementationFunctions<S, Row>, 'can' | 'lockVersion' | 'attributes' | 'changers' | 'update'> & {
    readonly [K in Exclude<RequiredFunctions<S>, 'load'>]: unknown
  }

export interface AnyRow {
  readonly id: string
}

/** An implementation with its row type erased. Safe because every row passed in came from the same implementation. */
interface ErasedImplementation {
  attributes(row: AnyRow, ctx: Ctx, can: Readonly<Record<string, boolean>>): Readonly<Record<string, unknown>>
  can?(ctx: Ctx, row: AnyRow): Readonly<Record<string, boolean>>
  lockVersion?(row: AnyRow): number
  list?(ctx: Ctx, query: ListQuery): Promise<ListResult<AnyRow>>
  load?(ctx: Ctx, ids: readonly string[]): Promise<readonly AnyRow[]>
  read?(ctx: Ctx): Promise<AnyRow | null>
  readonly creators?: Writers
  readonly changers?: Writers
  create?(ctx: Ctx, input: Readonly<Record<string, unknown>>): Promise<AnyRow | string>
  update?(
    ctx: Ctx,
    row: AnyRow,
    input: Readonly<Record<string, unknown>>,
    lock: { version: number | undefined; isUnchecked: boolean },
  ): Promise<AnyRow | void>
  put?(
    ctx: Ctx,
    input: Readonly<Record<string, unknown>>,
    lock: { version: number | undefined },
  ): Promise<{ created: boolean; row: AnyRow | string }>
  remove?(ctx: Ctx, row: AnyRow): Promise<void>
  relationships?: Readonly<Record<string, ErasedRelationship>>
}

export interface ErasedRelationship {
  id?(row: AnyRow): string | null
  ids?(ctx: Ctx, rows: readonly AnyRow[]): Promise<ReadonlyMap<string, string | null | readonly string[]>>
  alwaysVisible?: boolean | 'in-scope'
  seenByCreate?: boolean
  filter?(row: AnyRow): Record<string, unknown>
  replace?(ctx: Ctx, row: AnyRow, ids: string | null | readonly string[]): Promise<void>
  add?(ctx: Ctx, row: AnyRow, ids: readonly string[]): Promise<void>
  remove?(ctx: Ctx, row: AnyRow, ids: readonly string[]): Promise<void>
}

/** A shape with its implementation. */
export interface AnyResource {
  readonly shape: AnyShape
  readonly implementation: ErasedImplementation
}
