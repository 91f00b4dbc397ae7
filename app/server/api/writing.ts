import { AppError, isAppError } from '../../lib/app-error.ts'
import { readJson } from './body.ts'
import { type Answer, type Call, checkLinks, find, isIdOf, itemDocument, itemRules, NO_CONTENT, queryOf, seen, write } from './call.ts'
import type { AnyResource, AnyRow } from './implement.ts'
import { normalId, parseInput, type ParsedInput } from './input.ts'
import { Presenter } from './presenter.ts'
import { JSONAPI, resourceLink } from './protocol.ts'
import type { ParsedQuery } from './query.ts'

export async function createItem(call: Call, resource: AnyResource): Promise<Answer> {
  const query = queryOf(call, itemRules(resource))
  return create(call, resource, query, await readJson(call.request, resource.shape.body))
}

/** Creates a target of a to-many relationship, its way back set to the resource of the address. */
export async function createRelated(call: Call, resource: AnyResource, id: string, name: string): Promise<Answer> {
  const relationship = resource.shape.relationships[name]
  const target = call.registry.find(relationship?.target ?? '')
  const inverse = relationship?.kind === 'to-many' ? relationship.inverse : undefined
  if (!target || inverse === undefined) throw new AppError('not-found')
  const query = queryOf(call, itemRules(target))
  const row = await seen(call, resource, id)
  const body = await readJson(call.request, target.shape.body)
  return create(call, target, query, withLink(body, inverse, { type: resource.shape.type, id: row.id }))
}

async function create(call: Call, resource: AnyResource, query: ParsedQuery, body: unknown): Promise<Answer> {
  const parsed = parseInput(body, resource.shape, 'create')
  const own = Object.entries(resource.implementation.relationships ?? {}).filter(([, { seenByCreate }]) => seenByCreate)
  const checked = new Set(own.map(([name]) => `/data/relationships/${name}/data`))
  await checkLinks(
    call,
    parsed.links.filter(({ pointer }) => !checked.has(pointer)),
  )
  const made = await write(call, resource, () => resource.implementation.create?.(call.ctx, parsed.input))
  return createdAnswer(call, resource, query, made)
}

export async function updateItem(call: Call, resource: AnyResource, id: string): Promise<Answer> {
  const query = queryOf(call, itemRules(resource))
  return update(call, resource, query, await seen(call, resource, id))
}

export async function updateSingleton(call: Call, resource: AnyResource): Promise<Answer> {
  const query = queryOf(call, itemRules(resource))
  const row = await resource.implementation.read?.(call.ctx)
  if (!row) throw new AppError('not-found')
  return update(call, resource, query, row)
}

async function update(call: Call, resource: AnyResource, query: ParsedQuery, row: AnyRow): Promise<Answer> {
  const { shape, implementation } = resource
  const parsed = parseInput(await readJson(call.request, shape.body), shape, 'update', row.id)
  await checkLinks(call, parsed.links)
  const change = () => implementation.update?.(call.ctx, row, parsed.input, { version: parsed.lockVersion })
  const changed = (await showingBoth(call, resource, parsed, () => write(call, resource, change))) ?? (await reread(call, resource, row.id))
  if (!changed) return NO_CONTENT
  return { status: 200, document: await itemDocument(call, resource, changed, query) }
}

export async function putItem(call: Call, resource: AnyResource, id: string): Promise<Answer> {
  const { shape, implementation } = resource
  const query = queryOf(call, itemRules(resource))
  if (!isIdOf(shape, id)) throw new AppError('not-found')
  const row = await find(call, resource, id)
  const parsed = parseInput(await readJson(call.request, shape.body), shape, 'put', normalId(id))
  if (row && shape.locked && parsed.lockVersion === undefined)
    throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/data/meta/lockVersion' }] })
  await checkLinks(call, parsed.links)
  const replace = () => implementation.put?.(call.ctx, parsed.input, row, { version: parsed.lockVersion })
  const put = await showingBoth(call, resource, parsed, () => write(call, resource, replace))
  if (put.created) return createdAnswer(call, resource, query, put.row)
  const current = typeof put.row === 'string' ? await reread(call, resource, put.row) : put.row
  if (!current) return NO_CONTENT
  return { status: 200, document: await itemDocument(call, resource, current, query) }
}

export async function removeItem(call: Call, resource: AnyResource, id: string): Promise<Answer> {
  queryOf(call, { shape: undefined, include: false, filtered: false, paged: false })
  const row = await seen(call, resource, id)
  await write(call, resource, () => resource.implementation.remove?.(call.ctx, row))
  return NO_CONTENT
}

/** 201 with the new resource, or with its name alone where its maker may not see it. */
async function createdAnswer(call: Call, resource: AnyResource, query: ParsedQuery, made: AnyRow | string): Promise<Answer> {
  const id = typeof made === 'string' ? made : made.id
  const row = typeof made === 'string' ? await reread(call, resource, made) : made
  const { type, operations } = resource.shape
  const self = operations.includes('get') ? resourceLink(type, id) : undefined
  const bare = { jsonapi: JSONAPI, ...(self ? { links: { self } } : {}), data: { type, id } }
  const document = row ? await itemDocument(call, resource, row, query, self) : bare
  return { status: 201, document, ...(self ? { headers: { location: self } } : {}) }
}

async function reread(call: Call, resource: AnyResource, id: string): Promise<AnyRow | undefined> {
  if (resource.shape.kind === 'singleton') return (await resource.implementation.read?.(call.ctx)) ?? undefined
  return (await call.loader.visible(resource.shape.type, [id])).get(id)
}

/** A stale save is answered with both versions, so that nothing anyone typed is lost. */
async function showingBoth<T>(call: Call, resource: AnyResource, parsed: ParsedInput, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error, 'stale')) throw error
    const row = await reread(call, resource, parsed.id)
    const current = row && (await new Presenter(call.ctx, call.registry, call.loader).present(resource, [row], {})).data[0]
    const yours = { attributes: parsed.sent, lockVersion: parsed.lockVersion ?? null }
    throw new AppError('stale', { faults: error.faults, meta: { ...error.meta, yours, current: current ?? null } })
  }
}

function withLink(body: unknown, name: string, data: { type: string; id: string }): unknown {
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
  if (!isObject(body) || !isObject(body['data'])) return body
  const given = body['data']['relationships'] ?? {}
  if (!isObject(given)) return body
  const sent = isObject(given[name]) ? given[name]['data'] : undefined
  if (isObject(sent) && sent['id'] !== data.id) throw new AppError('id-mismatch', { pointer: `/data/relationships/${name}/data/id` })
  return { ...body, data: { ...body['data'], relationships: { ...given, [name]: { data } } } }
}
