import { AppError } from '../../lib/app-error.ts'
import { type Answer, type Call, dataDocument, itemDocument, itemRules, queryOf, seen } from './call.ts'
import type { AnyResource, AnyRow, ErasedRelationship, ListQuery, ListResult } from './implement.ts'
import { Presenter } from './presenter.ts'
import type { ParsedQuery } from './query.ts'

export async function readItem(call: Call, resource: AnyResource, id: string): Promise<Answer> {
  const query = queryOf(call, itemRules(resource))
  return { status: 200, document: await itemDocument(call, resource, await seen(call, resource, id), query) }
}

export async function readSingleton(call: Call, resource: AnyResource): Promise<Answer> {
  const query = queryOf(call, itemRules(resource))
  const row = (await resource.implementation.read?.(call.ctx)) ?? null
  return { status: 200, document: await itemDocument(call, resource, row, query) }
}

export async function readCollection(call: Call, resource: AnyResource): Promise<Answer> {
  const query = queryOf(call, { shape: resource.shape, include: true, filtered: true, paged: true })
  return collectionAnswer(call, resource, query, await listed(call, resource, query.list))
}

/** The resources a relationship leads to: one, or a collection that is filtered, sorted and paged like the target's own. */
export async function readRelated(call: Call, resource: AnyResource, id: string, name: string): Promise<Answer> {
  const relationship = resource.shape.relationships[name]
  const implementation = resource.implementation.relationships?.[name]
  const target = call.registry.find(relationship?.target ?? '')
  if (!relationship || !implementation || !target) throw new AppError('not-found')
  if (relationship.kind === 'to-one') {
    const query = queryOf(call, itemRules(target))
    const [targetId] = await linkedIds(call, resource, await seen(call, resource, id), name)
    const row = targetId === undefined ? null : await seen(call, target, targetId)
    return { status: 200, document: await itemDocument(call, target, row, query) }
  }
  const row = await seen(call, resource, id)
  const fixed = fixedFilter(target, implementation, row)
  const rules = { shape: target.shape, include: true, filtered: fixed !== undefined, paged: true, fixed: Object.keys(fixed ?? {}) }
  const query = queryOf(call, rules)
  return collectionAnswer(call, target, query, await relatedPage(call, resource, row, name, query))
}

/** The filter of the target's own list that gives what the relationship leads to, where there is one. */
function fixedFilter(target: AnyResource, implementation: ErasedRelationship, row: AnyRow): Record<string, unknown> | undefined {
  return target.shape.operations.includes('list') ? implementation.filter?.(row) : undefined
}

/** A page of what a to-many relationship leads to: from the target's own list if it can be, so that the database does the paging. */
export async function relatedPage(
  call: Call,
  resource: AnyResource,
  row: AnyRow,
  name: string,
  { list }: ParsedQuery,
): Promise<ListResult<AnyRow>> {
  const implementation = resource.implementation.relationships?.[name]
  const target = call.registry.find(resource.shape.relationships[name]?.target ?? '')
  if (!implementation || !target) throw new AppError('not-found')
  const fixed = fixedFilter(target, implementation, row)
  if (fixed) return listed(call, target, { ...list, filter: { ...list.filter, ...fixed } })
  const ids = await linkedIds(call, resource, row, name)
  const { offset, limit } = list.page
  const found = await call.loader.visible(target.shape.type, ids)
  return { rows: ids.slice(offset, offset + limit).flatMap((id) => found.get(id) ?? []), total: ids.length }
}

/** Ids that a relationship of one row leads to and the viewer may see. */
export async function linkedIds(call: Call, resource: AnyResource, row: AnyRow, name: string): Promise<string[]> {
  const implementation = resource.implementation.relationships?.[name]
  const linked = implementation?.id ? implementation.id(row) : (await implementation?.ids?.(call.ctx, [row]))?.get(row.id)
  const ids = [linked ?? []].flat()
  const visible = await call.loader.visible(resource.shape.relationships[name]?.target ?? '', ids)
  return ids.filter((id) => visible.has(id))
}

async function listed(call: Call, { implementation }: AnyResource, query: ListQuery): Promise<ListResult<AnyRow>> {
  return (await implementation.list?.(call.ctx, query)) ?? { rows: [], total: 0 }
}

async function collectionAnswer(
  call: Call,
  resource: AnyResource,
  query: ParsedQuery,
  { rows, total, meta }: ListResult<AnyRow>,
): Promise<Answer> {
  const { data, included } = await new Presenter(call.ctx, call.registry, call.loader, query.fields).present(resource, rows, query.include)
  const document = dataDocument(call, data, included, query)
  const { links, page } = pageLinks(call.url, query, total)
  return { status: 200, document: { ...document, links: { ...document.links, ...links }, meta: { ...meta, total, page } } }
}

/** Links to the other pages, null where there is none, and what of the page a table's foot shows. */
export function pageLinks(url: URL, query: ParsedQuery, total: number) {
  const { number, size } = query.list.page
  const last = Math.max(1, Math.ceil(total / size))
  const link = (to: number): string => {
    const there = new URL(url)
    there.searchParams.set('page[number]', String(to))
    return there.pathname + there.search
  }
  return {
    links: {
      first: link(1),
      last: link(last),
      prev: number > 1 ? link(Math.min(number - 1, last)) : null,
      next: number < last ? link(number + 1) : null,
    },
    page: { number, size, last },
  }
}
