import { AppError, type Fault } from '../../lib/app-error.ts'
import { readJson } from './request-body.ts'
import { type ApiAnswer, type ApiCall, requireVisibleLinks, NO_CONTENT, parseCallQuery, requireVisible, runWrite } from './api-call.ts'
import type { AnyResource, AnyRow } from './implement.ts'
import { readLinkage, type WrittenLink } from './parse-input.ts'
import { JSONAPI, LINKAGE_BOUNDS, resourceLink } from './protocol.ts'
import { requireChanger } from './write-resources.ts'
import { loadLinkedIds, buildPageLinks, loadRelatedPage } from './read-resources.ts'

export type LinkChange = 'replace' | 'add' | 'remove'

const NO_PARAMETERS = { shape: undefined, include: false, filtered: false, paged: false }

/** The linkage of one relationship; to-many linkage is paged. */
export async function readLinks(call: ApiCall, resource: AnyResource, id: string, name: string): Promise<ApiAnswer> {
  const relationship = resource.shape.relationships[name]
  const target = call.registry.find(relationship?.target ?? '')
  if (!relationship || !target) throw new AppError('not-found')
  const isMany = relationship.kind === 'to-many'
  const query = parseCallQuery(call, { shape: target.shape, include: false, filtered: false, paged: isMany })
  const row = await requireVisible(call, resource, id)
  const links = { self: call.url.pathname + call.url.search, related: `${resourceLink(resource.shape.type, id)}/${name}` }
  const refTo = (targetId: string) => ({ type: relationship.target, id: targetId })
  if (!isMany) {
    const [targetId] = await loadLinkedIds(call, resource, row, name)
    return { status: 200, document: { jsonapi: JSONAPI, links, data: targetId === undefined ? null : refTo(targetId) } }
  }
  const { rows, total } = await loadRelatedPage(call, resource, row, name, query)
  const paging = buildPageLinks(call.url, query, total)
  const data = rows.map((target) => refTo(target.id))
  return { status: 200, document: { jsonapi: JSONAPI, links: { ...links, ...paging.links }, data, meta: { total, page: paging.page } } }
}

export async function changeLinks(call: ApiCall, resource: AnyResource, id: string, name: string, change: LinkChange): Promise<ApiAnswer> {
  parseCallQuery(call, NO_PARAMETERS)
  requireChanger(call, resource)
  const row = await requireVisible(call, resource, id)
  requireChangeable(resource, name, change)
  return changeRowLinks(call, resource, row, { name, change, body: await readJson(call.request, LINKAGE_BOUNDS) })
}

/** JSON:API: a relationship that cannot be changed so is a 403. @throws {AppError} `not-found`, `forbidden` */
export function requireChangeable(resource: AnyResource, name: string, change: LinkChange): void {
  const implementation = Object.hasOwn(resource.shape.relationships, name) ? resource.implementation.relationships?.[name] : undefined
  if (!implementation) throw new AppError('not-found')
  if (!implementation[change]) throw new AppError('forbidden', { detail: { key: 'relationship-fixed' } })
}

export async function changeRowLinks(
  call: ApiCall,
  resource: AnyResource,
  row: AnyRow,
  { name, change, body }: { name: string; change: LinkChange; body: unknown },
): Promise<ApiAnswer> {
  const relationship = resource.shape.relationships[name]
  const implementation = resource.implementation.relationships?.[name]
  if (!relationship || !implementation) throw new AppError('not-found')
  if (typeof body !== 'object' || body === null || !('data' in body))
    throw new AppError('bad-request', { pointer: '', detail: { key: 'data-missing' } })
  const faults: Fault[] = []
  const links: WrittenLink[] = []
  const linkage = readLinkage(body.data, relationship, '/data', links, faults)
  if (faults.length > 0) throw new AppError('invalid', { faults })
  // A link may be removed even if its target is no longer visible; removing it reveals nothing.
  if (change !== 'remove') await requireVisibleLinks(call, links)
  await runWrite(call, resource, () =>
    change === 'replace'
      ? implementation.replace?.(call.ctx, row, linkage)
      : implementation[change]?.(call.ctx, row, [linkage ?? []].flat()),
  )
  return NO_CONTENT
}
