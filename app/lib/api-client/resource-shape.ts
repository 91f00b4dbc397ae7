import type { Figure } from '../figure-definitions.ts'
import * as v from 'valibot'
import type { Translated } from '../translated.ts'
import { createTranslatedSchema } from '../translated-schema.ts'
import { idSchema } from '../uuid.ts'
import type { Filter } from './filters.ts'

/**
 * The one declaration of an API resource, safe in the browser. The server's documents and inputs, the OpenAPI description and
 * the client's types are all derived from it.
 *
 * In `features/projects/projects.api.schema.ts`:
 *
 * ```ts
 * import { attribute, resourceShape, toMany, toOne, translated } from '#app/lib/api-client/resource-shape.ts'
 * import { filter } from '#app/lib/api-client/filters.ts'
 *
 * export const projectShape = resourceShape({
 *   type: 'projects',
 *   summary: 'Projects of the site, one consultation each',
 *   operations: ['list', 'get', 'create', 'update', 'remove'],   // what the server offers
 *   locked: true,                        // meta.lockVersion comes with each document and comes back with each update
 *   can: ['update', 'publish'],          // keys of meta.can: what this viewer may do with this resource
 *   attributes: {
 *     slug: attribute(slugSchema, { create: 'required', update: true }),
 *     title: translated({ max: 200, create: 'required', update: true }),   // see `translated`
 *     status: attribute(v.picklist(PROJECT_STATUSES)),                     // read-only: the default
 *     opensAt: attribute(v.nullable(instantSchema), { create: 'optional', update: true }),   // text on the wire, Date in use-cases
 *     internalNote: attribute(v.string(), { read: 'sometimes', update: true }),  // only if the server supplies it
 *     password: attribute(v.string(), { read: false, create: 'required' }),      // never read
 *   },
 *   relationships: {
 *     hub: toOne('hubs', { create: 'optional', update: true }),
 *     surveys: toMany('surveys'),
 *     publications: toMany('publications', { inverse: 'project' }),  // POST /projects/{id}/publications sets `project`
 *   },
 *   filters: { status: filter.choices(PROJECT_STATUSES), hub: filter.id(), q: filter.text(200), open: filter.flag() },
 *   sorts: ['title', 'publishedAt'],
 *   defaultSort: '-publishedAt',
 * })
 *
 * declare module '#app/lib/api-client/resource-shape.ts' {
 *   interface ResourceShapes {
 *     projects: typeof projectShape
 *   }
 * }
 * ```
 *
 * Attributes and relationships share one namespace, as JSON:API requires; `id`, `type`, `meta` and `relationships` are reserved.
 * Now `api.list('projects', { filter: { open: true }, include: ['hub'] })` is typed, and `implementResource(projectShape, …)`
 * of `app/server/api/implement.ts` serves it once it is listed in `app/root/api-resources.ts`.
 */
export function resourceShape<const D extends ShapeDeclaration>(declaration: D): ResourceShape<D> {
  return buildShape('collection', declaration) as ResourceShape<D>
}

/**
 * A document without a collection or an id in its address, such as `GET /api/v2/current-user`. It is declared and registered like a
 * resource, has attributes only, and offers `get` and optionally `update`.
 */
export function singletonShape<const D extends SingletonDeclaration>(declaration: D): SingletonShape<D> {
  return buildShape('singleton', { operations: ['get'], ...declaration }) as SingletonShape<D>
}

/** All resources by type: each feature adds its own from its `.schema.ts` file, see `resourceShape`. */
// oxlint-disable-next-line typescript/no-empty-object-type
export interface ResourceShapes {}

/** What a server may offer. `put` creates or replaces a resource under a client-chosen id. */
const OPERATIONS = ['list', 'get', 'create', 'update', 'put', 'remove'] as const
export type Operation = (typeof OPERATIONS)[number]

/** `true`: in every document. `'sometimes'`: only if the server supplies it. `false`: never. */
export type ReadFlag = boolean | 'sometimes'
export type CreateFlag = false | 'optional' | 'required'

export interface Attribute<
  S extends v.GenericSchema = v.GenericSchema,
  R extends ReadFlag = ReadFlag,
  C extends CreateFlag = CreateFlag,
  U extends boolean = boolean,
> {
  readonly kind: 'attribute'
  readonly schema: S
  readonly read: R
  readonly create: C
  readonly update: U
  /** The figure that it is: its definition describes the attribute. */
  readonly figure?: Figure
}

export interface TranslatedAttribute<C extends CreateFlag = CreateFlag, U extends boolean = boolean> {
  readonly kind: 'translated'
  readonly max: number
  readonly schema: v.GenericSchema<Translated, Translated>
  readonly create: C
  readonly update: U
}

export interface ToOne<T extends string = string, C extends CreateFlag = CreateFlag, U extends boolean = boolean> {
  readonly kind: 'to-one'
  readonly target: T
  readonly create: C
  readonly update: U
  readonly nullable: boolean
}

export interface ToMany<T extends string = string, C extends CreateFlag = CreateFlag, U extends boolean = boolean> {
  readonly kind: 'to-many'
  readonly target: T
  readonly create: C
  readonly update: U
  readonly inverse: string | undefined
}

/**
 * An attribute in its wire format: the schema's input is what documents carry and clients send, its output is what use-cases receive.
 * Read-only unless flagged.
 */
export function attribute<S extends v.GenericSchema, R extends ReadFlag = true, C extends CreateFlag = false, U extends boolean = false>(
  schema: S,
  flags: { read?: R; create?: C; update?: U; figure?: Figure } = {},
): Attribute<S, NoInfer<R>, NoInfer<C>, NoInfer<U>> {
  return {
    kind: 'attribute',
    schema,
    ...(flags.figure && { figure: flags.figure }),
    read: flags.read ?? (true as R),
    create: flags.create ?? (false as C),
    update: flags.update ?? (false as U),
  }
}

/**
 * A text in the site's languages. For `title: translated(…)`, documents carry `title` in the answer's language and, for viewers with
 * `meta.can.update`, `titleTranslations` with all languages; inputs carry `titleTranslations`. If the text falls back to another language,
 * `meta.languages.title` names it.
 */
export function translated<C extends CreateFlag = false, U extends boolean = false>(flags: {
  max: number
  create?: C
  update?: U
}): TranslatedAttribute<NoInfer<C>, NoInfer<U>> {
  const plain = createTranslatedSchema(flags.max)
  const isFilled = (text: Translated) => Object.values(text).some((one) => one.trim() !== '')
  const schema = flags.create === 'required' ? v.pipe(plain, v.check(isFilled, 'required')) : plain
  return {
    kind: 'translated',
    max: flags.max,
    schema,
    create: flags.create ?? (false as C),
    update: flags.update ?? (false as U),
  }
}

/** At most one resource of another type. If it is writable, null clears it unless `nullable` is false or `create` is `required`. */
export function toOne<T extends string, C extends CreateFlag = false, U extends boolean = false>(
  target: T,
  flags: { create?: C; update?: U; nullable?: boolean } = {},
): ToOne<T, NoInfer<C>, NoInfer<U>> {
  const nullable = flags.nullable ?? flags.create !== 'required'
  return {
    kind: 'to-one',
    target,
    create: flags.create ?? (false as C),
    update: flags.update ?? (false as U),
    nullable,
  }
}

/**
 * Any number of resources of another type.
 * @param flags.inverse name of the target's to-one relationship back: allows `POST /{type}/{id}/{name}` to create a target
 */
export function toMany<T extends string, C extends CreateFlag = false, U extends boolean = false>(
  target: T,
  flags: { create?: C; update?: U; inverse?: string } = {},
): ToMany<T, NoInfer<C>, NoInfer<U>> {
  return {
    kind: 'to-many',
    target,
    create: flags.create ?? (false as C),
    update: flags.update ?? (false as U),
    inverse: flags.inverse,
  }
}

type AttributeMap = Readonly<Record<string, Attribute | TranslatedAttribute>>
export type RelationshipMap = Readonly<Record<string, ToOne | ToMany>>
type FilterMap = Readonly<Record<string, Filter>>

/** Limits of a request body. */
export interface BodyBounds {
  readonly bytes: number
  /** Members of objects and items of lists, at every depth: processing them costs more than their bytes suggest. */
  readonly values: number
}

/** Enough for a resource with a few texts in three languages. */
const SMALL_BODY_BYTES = 64_000
/** No legitimate document of ours has more than one value per this many bytes. */
const BYTES_OF_A_VALUE = 16

export interface SingletonDeclaration {
  readonly type: string
  /** One line for the API's description, in English. */
  readonly summary: string
  readonly attributes: AttributeMap
  readonly operations?: readonly ('get' | 'update')[]
  readonly can?: readonly string[]
  readonly locked?: boolean
  /** See ShapeDeclaration. */
  readonly body?: Partial<BodyBounds>
}

export interface ShapeDeclaration {
  readonly type: string
  /** One line for the API's description, in English. */
  readonly summary: string
  readonly attributes: AttributeMap
  readonly operations: readonly Operation[]
  readonly relationships?: RelationshipMap
  readonly filters?: FilterMap
  readonly sorts?: readonly string[]
  readonly defaultSort?: string
  readonly can?: readonly string[]
  /**
   * Each document has `meta.lockVersion`, and an update sends it back: a stale one is a 409 that shows both versions. Programs may send
   * If-Match instead (412), or neither: then the last save wins.
   */
  readonly locked?: boolean
  /** The client may choose the id of what it creates. Implied by `put`. */
  readonly clientIds?: boolean
  /** Format of the id: a UUID by default. */
  readonly id?: v.GenericSchema<string, string>
  readonly page?: { readonly size: number; readonly max: number }
  /** Operations that work even with an expired or invalid token, because they are how people get a new one: signing in, registering. */
  readonly tokenless?: readonly Operation[]
  /**
   * Visitors' reads are remembered for all visitors, until the site publishes something, at most a quarter of a minute. Only for published
   * content, whose changes count as changed content.
   */
  readonly rememberedForVisitors?: boolean
  /** Limits for write requests, if 64 kB are not enough. */
  readonly body?: Partial<BodyBounds>
}

type NoMembers = { readonly [K in never]: unknown }
type OperationsOf<D> = D extends { operations: readonly (infer O extends Operation)[] } ? O : 'get'

/** A declaration with every default filled in. */
export interface AnyShape {
  readonly kind: 'collection' | 'singleton'
  readonly type: string
  readonly summary: string
  readonly attributes: AttributeMap
  readonly relationships: RelationshipMap
  readonly filters: FilterMap
  readonly sorts: readonly string[]
  readonly defaultSort: string | undefined
  readonly operations: readonly Operation[]
  readonly can: readonly string[]
  readonly locked: boolean
  readonly clientIds: boolean
  readonly id: v.GenericSchema<string, string>
  readonly page: { readonly size: number; readonly max: number }
  readonly tokenless: readonly Operation[]
  readonly rememberedForVisitors: boolean
  readonly body: BodyBounds
}

interface CommonShape<D extends { type: string; attributes: AttributeMap }> extends AnyShape {
  readonly type: D['type']
  readonly attributes: D['attributes']
  readonly operations: readonly OperationsOf<D>[]
  readonly can: readonly (D extends { can: readonly (infer C extends string)[] } ? C : never)[]
  readonly locked: D extends { locked: true } ? true : false
}

export interface ResourceShape<D extends ShapeDeclaration = ShapeDeclaration> extends CommonShape<D> {
  readonly kind: 'collection'
  readonly relationships: D extends { relationships: infer R extends RelationshipMap } ? R : NoMembers
  readonly filters: D extends { filters: infer F extends FilterMap } ? F : NoMembers
  readonly sorts: readonly (D extends { sorts: readonly (infer S extends string)[] } ? S : never)[]
  readonly clientIds: D extends { clientIds: true } ? true : false
}

export interface SingletonShape<D extends SingletonDeclaration = SingletonDeclaration> extends CommonShape<D> {
  readonly kind: 'singleton'
  readonly relationships: NoMembers
  readonly filters: NoMembers
  readonly sorts: readonly never[]
}

const resolveBounds = ({
  bytes = SMALL_BODY_BYTES,
  values = Math.ceil(bytes / BYTES_OF_A_VALUE),
}: Partial<BodyBounds> = {}): BodyBounds => ({
  bytes,
  values,
})

const TAKEN_NAMES = new Set(['id', 'type', 'lid', 'meta', 'links', 'relationships'])
const MEMBER_NAME = /^[a-zA-Z][a-zA-Z0-9]*$/
const TYPE_NAME = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/

function buildShape(kind: AnyShape['kind'], declaration: ShapeDeclaration): AnyShape {
  const { type, attributes, relationships = {}, sorts = [], defaultSort, operations } = declaration
  const shape: AnyShape = {
    kind,
    type,
    summary: declaration.summary,
    attributes,
    relationships,
    filters: declaration.filters ?? {},
    sorts,
    defaultSort,
    operations,
    can: declaration.can ?? [],
    locked: declaration.locked ?? false,
    clientIds: declaration.clientIds ?? operations.includes('put'),
    id: declaration.id ?? idSchema,
    page: declaration.page ?? { size: 20, max: 100 },
    tokenless: declaration.tokenless ?? [],
    rememberedForVisitors: declaration.rememberedForVisitors ?? false,
    body: resolveBounds(declaration.body),
  }
  const throwDeclarationFault = (what: string) => {
    throw new Error(`The API resource ${type} has an invalid declaration: ${what}`)
  }
  if (!TYPE_NAME.test(type)) throwDeclarationFault('its type must be words in lower case joined by hyphens')
  const names = [...listFieldNames(shape)]
  for (const name of names) {
    if (!MEMBER_NAME.test(name) || TAKEN_NAMES.has(name)) throwDeclarationFault(`${name} cannot be a field's name`)
    if (names.indexOf(name) !== names.lastIndexOf(name)) throwDeclarationFault(`${name} is declared twice`)
  }
  if (defaultSort !== undefined && !sorts.includes(defaultSort.replace(/^-/, '')))
    throwDeclarationFault('its default sort is not among its sorts')
  return shape
}

/** Name of the field that holds a translated attribute in all languages. */
export const toTranslationsName = <N extends string>(name: N): `${N}Translations` => `${name}Translations`

/** Names of all readable fields, which `fields[type]` accepts. */
export function* listFieldNames(shape: Pick<AnyShape, 'attributes' | 'relationships'>): Generator<string> {
  for (const [name, declared] of Object.entries(shape.attributes)) {
    if (declared.kind === 'translated') yield* [name, toTranslationsName(name)]
    else if (declared.read !== false) yield name
  }
  yield* Object.keys(shape.relationships)
}
