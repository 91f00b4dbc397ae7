import { AppError, type Fault } from '../app-error.ts'
import { ERROR_CODES, type ErrorCode } from '../error-catalogue.ts'
import { STATUS_BY_CODE } from '../error-status.ts'
import type { Ref } from './resource-types.ts'

/** JSON:API documents on the wire. */

interface WireResource {
  type: string
  id: string
  attributes?: Record<string, unknown>
  relationships?: Record<string, { data?: unknown }>
  meta?: Record<string, unknown>
}

interface WireError {
  status?: string
  code?: string
  detail?: string
  source?: { pointer?: string; parameter?: string }
  meta?: { values?: Record<string, string | number> } & Record<string, unknown>
}

export interface WireDocument {
  data?: WireResource | WireResource[] | null
  included?: WireResource[]
  links?: Record<string, string | null>
  meta?: Record<string, unknown>
  errors?: WireError[]
}

interface FlatResource extends Ref {
  relationships: Record<string, unknown>
  meta: Record<string, unknown>
}

/** Flattens a document into plain data that a query cache can hold and a page can embed. */
export function flattenDocument(document: WireDocument) {
  const { data = null, included = [], links = {}, meta = {} } = document
  return {
    data: Array.isArray(data) ? data.map(flattenResource) : data && flattenResource(data),
    included: included.map(flattenResource),
    links,
    meta,
  }
}

function flattenResource({ type, id, attributes, relationships = {}, meta = {} }: WireResource): FlatResource {
  const linked = Object.entries(relationships).flatMap(([name, relationship]) =>
    'data' in relationship ? [[name, relationship.data]] : [],
  )
  return { ...attributes, type, id, relationships: Object.fromEntries(linked) as Record<string, unknown>, meta }
}

/** Restores the use-case's AppError from the API's errors. */
export function toAppError(status: number, document: WireDocument | undefined): AppError {
  const errors = document?.errors ?? []
  const [first] = errors
  if (!first) return new AppError(toErrorCode(undefined, status), { detail: `The API responded with ${status} and no reason.` })
  const faults = errors.map((error): Fault => {
    const { pointer, parameter } = error.source ?? {}
    return {
      code: toErrorCode(error.code, Number(error.status ?? status)),
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(pointer === undefined ? {} : { pointer }),
      ...(parameter === undefined ? {} : { parameter }),
      ...(error.meta?.values ? { values: error.meta.values } : {}),
    }
  })
  const { values: _values, ...meta } = first.meta ?? {}
  const [only, ...others] = new Set(faults.map((fault) => fault.code))
  const code = only !== undefined && others.length === 0 ? only : toErrorCode(undefined, status)
  return new AppError(code, { faults, ...(Object.keys(meta).length > 0 ? { meta } : {}) })
}

/** A newer server may send codes that this client does not know: then the status decides. */
function toErrorCode(code: string | undefined, status: number): ErrorCode {
  if (code !== undefined && (ERROR_CODES as readonly string[]).includes(code)) return code as ErrorCode
  if (status === 422) return 'invalid'
  const known = Object.entries(STATUS_BY_CODE).find(([, its]) => its === status)
  return (known?.[0] as ErrorCode | undefined) ?? (status >= 500 ? 'internal' : 'bad-request')
}

interface ResourceDocument {
  readonly data: unknown
  readonly included: readonly Ref[]
}

type ContainedResource<D extends ResourceDocument> =
  | D['included'][number]
  | (D['data'] extends readonly (infer Item)[] ? Item : NonNullable<D['data']>)

/** The resource that a relationship leads to, if the document includes it: `findLinked(document, project.relationships.hub)`. */
export function findLinked<D extends ResourceDocument, T extends string>(
  document: D,
  refs: readonly Ref<T>[] | undefined,
): Extract<ContainedResource<D>, { type: T }>[]
export function findLinked<D extends ResourceDocument, T extends string>(
  document: D,
  ref: Ref<T> | null | undefined,
): Extract<ContainedResource<D>, { type: T }> | undefined
export function findLinked(document: ResourceDocument, to: Ref | readonly Ref[] | null | undefined): unknown {
  const all = [...([document.data ?? []].flat() as Ref[]), ...document.included]
  const findResource = (ref: Ref) => all.find((resource) => resource.type === ref.type && resource.id === ref.id)
  if (!to) return undefined
  return 'id' in to ? findResource(to) : to.flatMap((ref) => findResource(ref) ?? [])
}
