import { toAppError, flattenDocument, type WireDocument } from './documents.ts'
import { toQueryString, type QueryOptions } from './query-string.ts'
import type { ResourceShapes } from './resource-shape.ts'
import type {
  CreateFields,
  FieldSets,
  FilterValues,
  IncludePath,
  Ref,
  Resource,
  ShapeOf,
  SingletonName,
  SortName,
  TypeName,
  TypeWith,
  UpdateFields,
} from './resource-types.ts'
import type { ApiRequest, Transport } from './transport.ts'

/**
 * The one API client. The compiler checks names of resources, attributes, filters, sorts and includes:
 *
 * ```ts
 * const page = await api.list('projects', { filter: { open: true }, sort: '-publishedAt', include: ['hub'], page: { size: 10 } })
 * for (const project of page.data) show(project.title, findLinked(page, project.relationships.hub)?.title)
 *
 * const { data: project } = await api.create('projects', { attributes: { slug: 'mill-lane', titleTranslations: { en: 'Mill Lane' } } })
 * await api.update('projects', project.id, { attributes: { slug: 'mill-road' } }, { lockVersion: project.meta.lockVersion })
 * ```
 *
 * Answers are plain data that a query cache can hold. Errors are thrown as an `AppError` with the API's codes and pointers.
 */
export function createApi<R = ResourceShapes>(transport: Transport): Api<R> {
  return new Client(transport) as unknown as Api<R>
}

type Lock<S> = S extends { locked: true } ? { readonly lockVersion: number } : unknown
/** Options that require the lock version of a locked resource; optional for other resources. */
type LockOptions<S, Options> = S extends { locked: true } ? [options: Options & Lock<S>] : [options?: Options]
type NoFields = { readonly [K in never]: never }
type Operation = 'list' | 'get' | 'create' | 'update' | 'put' | 'remove'
type CollectionName<R> = TypeWith<Operation, R>

/** Options for any document that holds resources. */
interface ItemOptions<T extends TypeName<R>, R, F extends FieldSets<R> = FieldSets<R>> {
  readonly include?: readonly IncludePath<ShapeOf<T, R>, R>[]
  readonly fields?: F
  readonly signal?: AbortSignal
}

interface PageOptions {
  readonly page?: { readonly number?: number; readonly size?: number }
}

interface ListOptions<T extends TypeName<R>, R, F extends FieldSets<R> = FieldSets<R>> extends ItemOptions<T, R, F>, PageOptions {
  readonly filter?: FilterValues<ShapeOf<T, R>>
  readonly sort?: SortKey<T, R> | readonly SortKey<T, R>[]
}

type SortKey<T extends TypeName<R>, R> = SortName<ShapeOf<T, R>> | `-${SortName<ShapeOf<T, R>>}`

interface ItemDocument<T extends TypeName<R>, R = ResourceShapes, F = unknown> {
  readonly data: Resource<T, R, F>
  readonly included: readonly Resource<TypeName<R>, R, F>[]
}

interface ListDocument<T extends TypeName<R>, R = ResourceShapes, F = unknown> {
  readonly data: readonly Resource<T, R, F>[]
  readonly included: readonly Resource<TypeName<R>, R, F>[]
  readonly meta: PageMeta & Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<'self' | 'first' | 'last', string> & Record<'prev' | 'next', string | null>>
}

interface PageMeta {
  readonly total: number
  readonly page: { readonly number: number; readonly size: number; readonly last: number }
}

type RelationName<T extends TypeName<R>, R, Kind extends 'to-one' | 'to-many' = 'to-one' | 'to-many'> = {
  [K in keyof ShapeOf<T, R>['relationships']]: ShapeOf<T, R>['relationships'][K] extends { kind: Kind } ? K : never
}[keyof ShapeOf<T, R>['relationships']] &
  string
type TargetOf<T extends TypeName<R>, N, R> = N extends keyof ShapeOf<T, R>['relationships']
  ? ShapeOf<T, R>['relationships'][N] extends { target: infer U }
    ? Extract<U, TypeName<R>>
    : never
  : never
type Creatable<T extends TypeName<R>, R> = {
  [K in RelationName<T, R, 'to-many'>]: ShapeOf<T, R>['relationships'][K] extends { inverse: string | undefined } ? K : never
}[RelationName<T, R, 'to-many'>]

type Links<T extends TypeName<R>, N, R> =
  N extends RelationName<T, R, 'to-one'> ? Ref<TargetOf<T, N, R>> | null : readonly Ref<TargetOf<T, N, R>>[]

export interface Api<R = ResourceShapes> {
  list<T extends TypeWith<'list', R>, const F extends FieldSets<R> = NoFields>(
    type: T,
    options?: ListOptions<T, R, F>,
  ): Promise<ListDocument<T, R, F>>
  get<T extends TypeWith<'get', R>, const F extends FieldSets<R> = NoFields>(
    type: T,
    id: string,
    options?: ItemOptions<T, R, F>,
  ): Promise<ItemDocument<T, R, F>>
  create<T extends TypeWith<'create', R>>(
    type: T,
    fields: CreateFields<ShapeOf<T, R>>,
    options?: ItemOptions<T, R>,
  ): Promise<ItemDocument<T, R>>
  update<T extends TypeWith<'update', R>>(
    type: T,
    id: string,
    fields: UpdateFields<ShapeOf<T, R>>,
    ...options: LockOptions<ShapeOf<T, R>, ItemOptions<T, R>>
  ): Promise<ItemDocument<T, R>>
  /** Creates or fully replaces a resource under a client-chosen id. Idempotent. */
  put<T extends TypeWith<'put', R>>(
    type: T,
    id: string,
    fields: Omit<CreateFields<ShapeOf<T, R>>, 'id'>,
    options?: ItemOptions<T, R> & Partial<Lock<ShapeOf<T, R>>>,
  ): Promise<ItemDocument<T, R>>
  remove(type: TypeWith<'remove', R>, id: string, options?: { signal?: AbortSignal }): Promise<void>

  /** A singleton document, such as `current-user`; its data may be null. */
  read<T extends SingletonName<R>>(type: T, options?: { signal?: AbortSignal }): Promise<{ readonly data: Resource<T, R> | null }>
  updateSingleton<T extends SingletonName<R, 'update'>>(
    type: T,
    fields: UpdateFields<ShapeOf<T, R>>,
    ...options: LockOptions<ShapeOf<T, R>, { signal?: AbortSignal }>
  ): Promise<{ readonly data: Resource<T, R> }>

  /** The target of a to-one relationship, or null. */
  related<T extends CollectionName<R>, N extends RelationName<T, R, 'to-one'>>(
    type: T,
    id: string,
    name: N,
    options?: ItemOptions<TargetOf<T, N, R>, R>,
  ): Promise<{ readonly data: Resource<TargetOf<T, N, R>, R> | null; readonly included: readonly Resource<TypeName<R>, R>[] }>
  /** A page of the targets of a to-many relationship. */
  relatedList<T extends CollectionName<R>, N extends RelationName<T, R, 'to-many'>>(
    type: T,
    id: string,
    name: N,
    options?: ListOptions<TargetOf<T, N, R>, R>,
  ): Promise<ListDocument<TargetOf<T, N, R>, R>>
  /** Creates a target of a to-many relationship that has an inverse. */
  createRelated<T extends CollectionName<R>, N extends Creatable<T, R>>(
    type: T,
    id: string,
    name: N,
    fields: RelatedFields<TargetOf<T, N, R>, R>,
    options?: { signal?: AbortSignal },
  ): Promise<ItemDocument<TargetOf<T, N, R>, R>>

  /** Identifiers only; to-many linkage is paged. */
  links<T extends CollectionName<R>, N extends RelationName<T, R>>(
    type: T,
    id: string,
    name: N,
    options?: PageOptions & { signal?: AbortSignal },
  ): Promise<{ readonly data: Links<T, N, R>; readonly meta: Partial<PageMeta> }>
  replaceLinks<T extends CollectionName<R>, N extends RelationName<T, R>>(type: T, id: string, name: N, to: Links<T, N, R>): Promise<void>
  addLinks<T extends CollectionName<R>, N extends RelationName<T, R, 'to-many'>>(
    type: T,
    id: string,
    name: N,
    to: readonly Ref<TargetOf<T, N, R>>[],
  ): Promise<void>
  removeLinks<T extends CollectionName<R>, N extends RelationName<T, R, 'to-many'>>(
    type: T,
    id: string,
    name: N,
    to: readonly Ref<TargetOf<T, N, R>>[],
  ): Promise<void>
}

/** A resource created through another: the inverse relationship may be left out. */
type RelatedFields<T extends TypeName<R>, R> =
  CreateFields<ShapeOf<T, R>> extends infer Fields
    ? Omit<Fields, 'relationships'> & {
        readonly type: T
        readonly relationships?: Partial<Fields extends { relationships?: infer L } ? NonNullable<L> : never>
      }
    : never

interface Fields {
  readonly type?: string
  readonly id?: string
  readonly attributes?: object
  readonly relationships?: object
}

interface Options extends QueryOptions {
  readonly lockVersion?: number
  readonly signal?: AbortSignal
}

const buildPath = (...steps: string[]): string => steps.map((step) => `/${encodeURIComponent(step)}`).join('')

/** The untyped client: `Api` gives each call the types that follow from the shapes. */
class Client {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list = (type: string, options: Options = {}) => this.#document('GET', buildPath(type), options)
  get = (type: string, id: string, options: Options = {}) => this.#document('GET', buildPath(type, id), options)
  create = (type: string, fields: Fields, options: Options = {}) => this.#document('POST', buildPath(type), options, { type, ...fields })
  update = (type: string, id: string, fields: Fields, options: Options = {}) =>
    this.#document('PATCH', buildPath(type, id), options, { type, ...fields, id })
  put = (type: string, id: string, fields: Fields, options: Options = {}) =>
    this.#document('PUT', buildPath(type, id), options, { type, ...fields, id })
  remove = (type: string, id: string, options: Options = {}) => this.#send('DELETE', buildPath(type, id), options)

  read = (type: string, options: Options = {}) => this.#document('GET', buildPath(type), options)
  updateSingleton = (type: string, fields: Fields, options: Options = {}) =>
    this.#document('PATCH', buildPath(type), options, { type, ...fields })

  related = (type: string, id: string, name: string, options: Options = {}) => this.#document('GET', buildPath(type, id, name), options)
  relatedList = this.related
  createRelated = (type: string, id: string, name: string, fields: Fields, options: Options = {}) =>
    this.#document('POST', buildPath(type, id, name), options, fields)

  links = async (type: string, id: string, name: string, options: Options = {}) => {
    const document = await this.#send('GET', buildPath(type, id, 'relationships', name), options)
    return { data: document?.data ?? null, meta: document?.meta ?? {} }
  }
  replaceLinks = (type: string, id: string, name: string, to: unknown) => this.#change('PATCH', type, id, name, to)
  addLinks = (type: string, id: string, name: string, to: unknown) => this.#change('POST', type, id, name, to)
  removeLinks = (type: string, id: string, name: string, to: unknown) => this.#change('DELETE', type, id, name, to)

  async #change(method: ApiRequest['method'], type: string, id: string, name: string, data: unknown): Promise<void> {
    await this.#send(method, buildPath(type, id, 'relationships', name), {}, data)
  }

  async #document(method: ApiRequest['method'], path: string, options: Options, data?: Fields) {
    const { lockVersion } = options
    const sent = data && toResourceObject(data, lockVersion)
    return flattenDocument((await this.#send(method, path, options, sent)) ?? {})
  }

  async #send(method: ApiRequest['method'], path: string, options: Options, data?: unknown): Promise<WireDocument | undefined> {
    const { signal, lockVersion: _lockVersion, ...query } = options
    const response = await this.#transport({
      method,
      path: path + toQueryString(query),
      ...(data === undefined ? {} : { body: { data } }),
      ...(signal ? { signal } : {}),
    })
    const document = await readDocument(response)
    if (!response.ok || (!document && response.status !== 204)) throw toAppError(response.ok ? 502 : response.status, document)
    return document
  }
}

function toResourceObject({ relationships, ...data }: Fields, lockVersion: number | undefined): object {
  const linked = Object.entries(relationships ?? {}).flatMap(([name, to]) => (to === undefined ? [] : [[name, { data: to as unknown }]]))
  return {
    ...data,
    ...(linked.length > 0 ? { relationships: Object.fromEntries(linked) as object } : {}),
    ...(lockVersion === undefined ? {} : { meta: { lockVersion } }),
  }
}

/** Undefined if the response is not JSON, such as a 204 or a proxy's own error page. */
async function readDocument(response: Response): Promise<WireDocument | undefined> {
  if (response.status === 204 || !/[/+]json\b/.test(response.headers.get('content-type') ?? '')) {
    await response.body?.cancel()
    return undefined
  }
  try {
    return (await response.json()) as WireDocument
  } catch {
    return undefined
  }
}
