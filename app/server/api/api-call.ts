import { AppError, isAppError, type Fault } from '../../lib/app-error.ts'
import * as v from 'valibot'
import type { AnyShape } from '../../lib/api-client/resource-shape.ts'
import type { Ctx } from '../context.ts'
import { isStorable } from './request-body.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource, AnyRow } from './implement.ts'
import { withDocumentPointers, type WrittenLink } from './parse-input.ts'
import type { Loader } from './loader.ts'
import { Presenter } from './presenter.ts'
import { type DataDocument, JSONAPI, type PresentedResource } from './protocol.ts'
import { type ParsedQuery, parseQuery, type QueryRules } from './parse-query.ts'

/** One API request being handled. */
export interface ApiCall {
  readonly ctx: Ctx
  readonly request: Request
  readonly url: URL
  readonly registry: Registry
  readonly loader: Loader
}

export interface ApiAnswer {
  status: number
  document?: unknown
  /** The document as JSON, if it is prepared already. */
  bytes?: Buffer
  contentType?: string
  headers?: Record<string, string>
}

export const NO_CONTENT: ApiAnswer = { status: 204 }

/** Query rules for an address that answers with a single resource of this shape. */
export const buildItemRules = (resource: AnyResource): QueryRules => ({
  shape: resource.shape,
  include: true,
  filtered: false,
  paged: false,
})

export const parseCallQuery = (call: ApiCall, rules: QueryRules): ParsedQuery => parseQuery(call.url.searchParams, rules, call.registry)

/** The row with this id, if the viewer may see it. @throws {AppError} `not-found`, also for a malformed id */
export async function requireVisible(call: ApiCall, resource: AnyResource, id: string): Promise<AnyRow> {
  const row = await findVisible(call, resource, id)
  if (!row) throw new AppError('not-found')
  return row
}

export async function findVisible(call: ApiCall, { shape }: AnyResource, id: string): Promise<AnyRow | undefined> {
  if (!isIdFor(shape, id)) return undefined
  return (await call.loader.loadVisible(shape.type, [id])).get(id)
}

export const isIdFor = (shape: AnyShape, id: string): boolean => isStorable(id) && v.is(shape.id, id)

/** A document with one resource or `null`. */
export async function buildItemDocument(
  call: ApiCall,
  resource: AnyResource,
  row: AnyRow | null,
  query: ParsedQuery,
  self?: string,
): Promise<DataDocument> {
  const presenter = new Presenter(call.ctx, call.registry, call.loader, query.fields)
  const { data, included } = await presenter.present(resource, row ? [row] : [], query.include)
  return { ...buildDataDocument(call, data[0] ?? null, included, query), ...(self ? { links: { self } } : {}) }
}

export function buildDataDocument(
  call: ApiCall,
  data: DataDocument['data'],
  included: readonly PresentedResource[],
  query: ParsedQuery,
): DataDocument {
  const asksIncluded = Object.keys(query.include).length > 0 || call.url.searchParams.has('include')
  return { jsonapi: JSONAPI, links: { self: call.url.pathname + call.url.search }, data, ...(asksIncluded ? { included } : {}) }
}

/** Treats ids that the viewer may not see like ids that do not exist. @throws {AppError} `not-found` with pointers */
export async function requireVisibleLinks(call: ApiCall, links: readonly WrittenLink[]): Promise<void> {
  const faults: Fault[] = []
  for (const [target, group] of Map.groupBy(links, (link) => link.target)) {
    const shape = call.registry.find(target)?.shape
    const possible = group.filter((link) => shape !== undefined && isIdFor(shape, link.id))
    const visible = await call.loader.loadVisible(
      target,
      possible.map((link) => link.id),
    )
    for (const link of group) if (!visible.has(link.id)) faults.push({ code: 'not-found', pointer: link.pointer })
  }
  if (faults.length > 0) throw new AppError('not-found', { faults })
}

/** Runs a use-case that writes: maps pointers of its faults into the document and clears the loader's cache. */
export async function runWrite<T>(call: ApiCall, resource: AnyResource, work: () => Promise<T> | undefined): Promise<T> {
  try {
    return (await work()) as T
  } catch (error) {
    throw isAppError(error) ? withDocumentPointers(error, resource.shape) : error
  } finally {
    call.loader.forget()
  }
}
