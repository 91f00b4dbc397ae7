import { AppError } from '../../lib/app-error.ts'
import {
  type ApiAnswer,
  type ApiCall,
  buildDataDocument,
  buildItemDocument,
  buildItemRules,
  parseCallQuery,
  requireVisible,
} from './api-call.ts'
import type { AnyResource, AnyRow, ErasedRelationship, ListQuery, ListResult } from './implement.ts'
import { Presenter } from './presenter.ts'
import type { ParsedQuery } from './parse-query.ts'
import { requireScope } from './token-scopes.ts'
import { buildTagHeader } from './versions.ts'

export async function readItem(call: ApiCall, resource: AnyResource, id: string): Promise<ApiAnswer> {
  const query = parseCallQuery(call, buildItemRules(resource))
  requireScope(call.ctx.viewer, resource.shape.type, 'read')
  const row = await requireVisible(call, resource, id)
  return { status: 200, document: await buildItemDocument(call, resource, row, query), headers: buildTagHeader(resource, row) }
}

export async function readSingleton(call: ApiCall, resource: AnyResource): Promise<ApiAnswer> {
  const query = parseCallQuery(call, buildItemRules(resource))
  requireScope(call.ctx.viewer, resource.shape.type, 'read')
  const row = (await resource.implementation.read?.(call.ctx)) ?? null
  return { status: 200, document: await buildItemDocument(call, resource, row, query), headers: buildTagHeader(resource, row) }
}

export async function readCollection(call: ApiCall, resource: AnyResource): Promise<ApiAnswer> {
  const query = parseCallQuery(call, { shape: resource.shape, include: true, filtered: true, paged: true })
  return buildCollectionAnswer(call, resource, query, await loadListPage(call, resource, query.list))
}

/** The related resource, or a collection that is filtered, sorted and paged like the target's own. */
export async function readRelated(call: ApiCall, resource: AnyResource, id: string, name: string): Promise<ApiAnswer> {
  const relationship = resource.shape.relationships[name]
  const implementation = resource.implementation.relationships?.[name]
  const target = call.registry.find(relationship?.target ?? '')
  if (!relationship || !implementation || !target) throw new AppError('not-found')
  if (relationship.kind === 'to-one') {
    const query = parseCallQuery(call, buildItemRules(target))
    const [targetId] = await loadLinkedIds(call, resource, await requireVisible(call, resource, id), name)
    const row = targetId === undefined ? null : await requireVisible(call, target, targetId)
    return { status: 200, document: await buildItemDocument(call, target, row, query) }
  }
  const row = await requireVisible(call, resource, id)
  const fixed = findFixedFilter(target, implementation, row)
  const rules = { shape: target.shape, include: true, filtered: fixed !== undefined, paged: true, fixed: Object.keys(fixed ?? {}) }
  const query = parseCallQuery(call, rules)
  return buildCollectionAnswer(call, target, query, await loadRelatedPage(call, resource, row, name, query))
}

/** The filter that makes the target's own list return the related rows, if there is one. */
function findFixedFilter(target: AnyResource, implementation: ErasedRelationship, row: AnyRow): Record<string, unknown> | undefined {
  return target.shape.operations.includes('list') ? implementation.filter?.(row) : undefined
}

/** A page of a to-many relationship, taken from the target's own list if possible so that the database does the paging. */
export async function loadRelatedPage(
  call: ApiCall,
  resource: AnyResource,
  row: AnyRow,
  name: string,
  { list }: ParsedQuery,
): Promise<ListResult<AnyRow>> {
  const implementation = resource.implementation.relationships?.[name]
  const target = call.registry.find(resource.shape.relationships[name]?.target ?? '')
  if (!implementation || !target) throw new AppError('not-found')
  const fixed = findFixedFilter(target, implementation, row)
  if (fixed) return loadListPage(call, target, { ...list, filter: { ...list.filter, ...fixed } })
  const ids = await loadLinkedIds(call, resource, row, name)
  const { offset, limit } = list.page
  const found = await call.loader.loadVisible(target.shape.type, ids)
  return { rows: ids.slice(offset, offset + limit).flatMap((id) => found.get(id) ?? []), total: ids.length }
}

/** Ids that one row's relationship leads to and the viewer may see. */
export async function loadLinkedIds(call: ApiCall, resource: AnyResource, row: AnyRow, name: string): Promise<string[]> {
  const implementation = resource.implementation.relationships?.[name]
  const linked = implementation?.id ? implementation.id(row) : (await implementation?.ids?.(call.ctx, [row]))?.get(row.id)
  const ids = [linked ?? []].flat()
  const visible = await call.loader.loadVisible(resource.shape.relationships[name]?.target ?? '', ids)
  return ids.filter((id) => visible.has(id))
}

async function loadListPage(call: ApiCall, { shape, implementation }: AnyResource, query: ListQuery): Promise<ListResult<AnyRow>> {
  requireScope(call.ctx.viewer, shape.type, 'read')
  return (await implementation.list?.(call.ctx, query)) ?? { rows: [], total: 0 }
}

async function buildCollectionAnswer(
  call: ApiCall,
  resource: AnyResource,
  query: ParsedQuery,
  { rows, total, meta }: ListResult<AnyRow>,
): Promise<ApiAnswer> {
  const { data, included } = await new Presenter(call.ctx, call.registry, call.loader, query.fields).present(resource, rows, query.include)
  const document = buildDataDocument(call, data, included, query)
  const { links, page } = buildPageLinks(call.url, query, total)
  return { status: 200, document: { ...document, links: { ...document.links, ...links }, meta: { ...meta, total, page } } }
}

/** Links to the other pages, null if there is none, and the page figures that a table's footer shows. */
export function buildPageLinks(url: URL, query: ParsedQuery, total: number) {
  const { number, size } = query.list.page
  const last = Math.max(1, Math.ceil(total / size))
  const linkToPage = (to: number): string => {
    const there = new URL(url)
    there.searchParams.set('page[number]', String(to))
    return there.pathname + there.search
  }
  return {
    links: {
      first: linkToPage(1),
      last: linkToPage(last),
      prev: number > 1 ? linkToPage(Math.min(number - 1, last)) : null,
      next: number < last ? linkToPage(number + 1) : null,
    },
    page: { number, size, last },
  }
}
