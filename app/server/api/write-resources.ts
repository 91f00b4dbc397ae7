import { AppError, isAppError } from '../../lib/app-error.ts'
import { isJsonObject } from '../../lib/is-json-object.ts'
import { readJson } from './request-body.ts'
import {
  type ApiAnswer,
  type ApiCall,
  requireVisibleLinks,
  findVisible,
  isIdFor,
  buildItemDocument,
  buildItemRules,
  NO_CONTENT,
  parseCallQuery,
  requireVisible,
  runWrite,
} from './api-call.ts'
import type { Registry } from './create-registry.ts'
import type { AnyResource, AnyRow, Writers } from './implement.ts'
import { dropUnchanged, listFixedFields, normaliseId, parseInput, type ParsedInput } from './parse-input.ts'
import { ResourceText } from './encode-document.ts'
import { Presenter } from './presenter.ts'
import { JSONAPI, resourceLink } from './protocol.ts'
import type { ParsedQuery } from './parse-query.ts'
import { requireScope } from './token-scopes.ts'
import { buildTagHeader, requireVersion, selectBaseVersion } from './versions.ts'

export async function createItem(call: ApiCall, resource: AnyResource): Promise<ApiAnswer> {
  const query = parseCallQuery(call, buildItemRules(resource))
  requireCreator(call, resource)
  return createResource(call, resource, query, await readJson(call.request, resource.shape.body))
}

/** Creates a target of a to-many relationship, with its inverse set to the resource in the address. */
export async function createRelated(call: ApiCall, resource: AnyResource, id: string, name: string): Promise<ApiAnswer> {
  const { target, inverse } = requireCreatedThrough(call.registry, resource, name)
  const query = parseCallQuery(call, buildItemRules(target))
  const row = await requireVisible(call, resource, id)
  requireCreator(call, target)
  const body = await readJson(call.request, target.shape.body)
  return createResource(call, target, query, withRelationship(body, inverse, { type: resource.shape.type, id: row.id }))
}

/** What a to-many relationship creates, and by which relationship that names its owner. @throws {AppError} `not-found` */
export function requireCreatedThrough(registry: Registry, { shape }: AnyResource, name: string): { target: AnyResource; inverse: string } {
  const relationship = Object.hasOwn(shape.relationships, name) ? shape.relationships[name] : undefined
  const target = registry.find(relationship?.target ?? '')
  const inverse = relationship?.kind === 'to-many' ? relationship.inverse : undefined
  if (!target || inverse === undefined) throw new AppError('not-found')
  return { target, inverse }
}

/** People who could never create one are refused before their document is read. @throws {AppError} `unauthenticated`, `forbidden` */
export function requireCreator(call: ApiCall, { shape, implementation: { creators = 'administrators' } }: AnyResource): void {
  requireScope(call.ctx.viewer, shape.type, 'write')
  requireKind(call, creators)
}

/** The same for changing or removing one, or its relationships. @throws {AppError} `unauthenticated`, `forbidden` */
export function requireChanger(call: ApiCall, { shape, implementation: { changers = 'administrators' } }: AnyResource): void {
  requireScope(call.ctx.viewer, shape.type, 'write')
  requireKind(call, changers)
}

function requireKind({ ctx: { viewer } }: ApiCall, kind: Writers): void {
  if (kind === 'anyone') return
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (kind === 'administrators' && viewer.roles.length === 0) throw new AppError('forbidden')
}

export async function createResource(call: ApiCall, resource: AnyResource, query: ParsedQuery, body: unknown): Promise<ApiAnswer> {
  const parsed = parseInput(body, resource.shape, 'create')
  await requireVisibleLinks(call, listUncheckedLinks(resource, parsed))
  const made = await runWrite(call, resource, () => resource.implementation.create?.(call.ctx, parsed.input))
  return buildCreatedAnswer(call, resource, query, made)
}

/** Without those that `create` or `put` checks itself. */
function listUncheckedLinks({ implementation }: AnyResource, { links }: ParsedInput): ParsedInput['links'] {
  const own = Object.entries(implementation.relationships ?? {}).filter(([, { seenByCreate }]) => seenByCreate)
  const checked = new Set(own.map(([name]) => `/data/relationships/${name}/data`))
  return links.filter(({ pointer }) => !checked.has(pointer))
}

export async function updateItem(call: ApiCall, resource: AnyResource, id: string): Promise<ApiAnswer> {
  const query = parseCallQuery(call, buildItemRules(resource))
  requireChanger(call, resource)
  const row = await requireVisible(call, resource, id)
  return updateResource(call, resource, query, row, await readJson(call.request, resource.shape.body))
}

export async function updateSingleton(call: ApiCall, resource: AnyResource): Promise<ApiAnswer> {
  const query = parseCallQuery(call, buildItemRules(resource))
  requireChanger(call, resource)
  const row = await resource.implementation.read?.(call.ctx)
  if (!row) throw new AppError('not-found')
  return updateResource(call, resource, query, row, await readJson(call.request, resource.shape.body))
}

/** Updates the row as the document says. Where its sender names no version, the last save wins, and the audit trail says so. */
export async function updateResource(
  call: ApiCall,
  resource: AnyResource,
  query: ParsedQuery,
  row: AnyRow,
  body: unknown,
): Promise<ApiAnswer> {
  const parsed = parseInput(await withoutUnchanged(call, resource, row, body), resource.shape, 'update', row.id)
  await requireVisibleLinks(call, parsed.links)
  const changed = (await saveRow(call, resource, row, parsed)) ?? (await reloadRow(call, resource, row.id))
  return buildUpdatedAnswer(call, resource, query, changed)
}

async function buildUpdatedAnswer(call: ApiCall, resource: AnyResource, query: ParsedQuery, row: AnyRow | undefined): Promise<ApiAnswer> {
  if (!row) return NO_CONTENT
  return { status: 200, document: await buildItemDocument(call, resource, row, query), headers: buildTagHeader(resource, row) }
}

const MAX_UNCHECKED_SAVES = 5

async function saveRow(call: ApiCall, resource: AnyResource, row: AnyRow, parsed: ParsedInput): Promise<AnyRow | void> {
  let current = row
  for (let attempt = 1; ; attempt++) {
    const base = await withBothVersions(call, resource, parsed, () =>
      selectBaseVersion(call.request, resource, current, parsed.lockVersion),
    )
    const { version, isUnchecked } = base
    const ctx = isUnchecked ? { ...call.ctx, savesUnchecked: true } : call.ctx
    const lock = { version, isUnchecked }
    try {
      return await withBothVersions(
        call,
        resource,
        parsed,
        () => runWrite(call, resource, () => resource.implementation.update?.(ctx, current, parsed.input, lock)),
        base.isByHeader ? 'precondition-failed' : 'stale',
      )
    } catch (error) {
      if (!isUnchecked || !isAppError(error, 'stale') || attempt >= MAX_UNCHECKED_SAVES) throw error
      current = (await reloadRow(call, resource, row.id)) ?? current
    }
  }
}

/** Clients that save whole resources send back what cannot be changed: where it is as it was, it is no fault. */
async function withoutUnchanged(call: ApiCall, resource: AnyResource, row: AnyRow, body: unknown): Promise<unknown> {
  const fixed = listFixedFields(body, resource.shape)
  if (fixed.attributes.length + fixed.relationships.length === 0) return dropUnchanged(body, fixed, undefined)
  const include = Object.fromEntries(fixed.relationships.map((name) => [name, {}]))
  const { data } = await new Presenter(call.ctx, call.registry, call.loader).present(resource, [row], include)
  return dropUnchanged(body, fixed, data[0] instanceof ResourceText ? data[0].toJSON() : data[0])
}

export async function putItem(call: ApiCall, resource: AnyResource, id: string): Promise<ApiAnswer> {
  const { shape, implementation } = resource
  const query = parseCallQuery(call, buildItemRules(resource))
  requireChanger(call, resource)
  if (!isIdFor(shape, id)) throw new AppError('not-found')
  const parsed = parseInput(await readJson(call.request, shape.body), shape, 'put', normaliseId(id))
  const existing = shape.locked ? await findVisible(call, resource, id) : undefined
  const base = existing && selectBaseVersion(call.request, resource, existing, parsed.lockVersion)
  // A replacement names everything: without a version it would undo what its sender never saw.
  if (base?.isUnchecked) throw new AppError('invalid', { faults: [{ code: 'required', pointer: '/data/meta/lockVersion' }] })
  await requireVisibleLinks(call, listUncheckedLinks(resource, parsed))
  const runPut = () => implementation.put?.(call.ctx, parsed.input, { version: base?.version ?? parsed.lockVersion })
  const put = await withBothVersions(call, resource, parsed, () => runWrite(call, resource, runPut))
  if (put.created) return buildCreatedAnswer(call, resource, query, put.row)
  return buildUpdatedAnswer(call, resource, query, typeof put.row === 'string' ? await reloadRow(call, resource, put.row) : put.row)
}

export async function removeItem(call: ApiCall, resource: AnyResource, id: string): Promise<ApiAnswer> {
  parseCallQuery(call, { shape: undefined, include: false, filtered: false, paged: false })
  requireChanger(call, resource)
  return removeResource(call, resource, await requireVisible(call, resource, id))
}

/** @param sent the version that the sender believes to remove, if named */
export async function removeResource(call: ApiCall, resource: AnyResource, row: AnyRow, sent?: number): Promise<ApiAnswer> {
  requireVersion(resource, row, sent)
  selectBaseVersion(call.request, resource, row, undefined)
  await runWrite(call, resource, () => resource.implementation.remove?.(call.ctx, row))
  return NO_CONTENT
}

/** 201 with the new resource, or only its identifier if its creator may not see it. */
async function buildCreatedAnswer(call: ApiCall, resource: AnyResource, query: ParsedQuery, made: AnyRow | string): Promise<ApiAnswer> {
  const id = typeof made === 'string' ? made : made.id
  const row = typeof made === 'string' ? await reloadRow(call, resource, made) : made
  const { type, operations } = resource.shape
  const self = operations.includes('get') ? resourceLink(type, id) : undefined
  const bare = { jsonapi: JSONAPI, ...(self ? { links: { self } } : {}), data: { type, id } }
  const document = row ? await buildItemDocument(call, resource, row, query, self) : bare
  return { status: 201, document, headers: { ...(self ? { location: self } : {}), ...buildTagHeader(resource, row) } }
}

async function reloadRow(call: ApiCall, resource: AnyResource, id: string): Promise<AnyRow | undefined> {
  if (resource.shape.kind === 'singleton') return (await resource.implementation.read?.(call.ctx)) ?? undefined
  return (await call.loader.loadVisible(resource.shape.type, [id])).get(id)
}

/** A stale save is answered with both versions, so that nothing anyone typed is lost. */
async function withBothVersions<T>(
  call: ApiCall,
  resource: AnyResource,
  parsed: ParsedInput,
  work: () => Promise<T> | T,
  code: 'stale' | 'precondition-failed' = 'stale',
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!isAppError(error, 'stale') && !isAppError(error, 'precondition-failed')) throw error
    const row = await reloadRow(call, resource, parsed.id)
    const current = row && (await new Presenter(call.ctx, call.registry, call.loader).present(resource, [row], {})).data[0]
    const yours = { attributes: parsed.sent, lockVersion: parsed.lockVersion ?? null }
    const meta = { ...error.meta, yours, current: current ?? null }
    if (error.code === 'precondition-failed') throw new AppError(error.code, { faults: error.faults, meta })
    throw new AppError(code, { faults: error.faults.map((fault) => ({ ...fault, code })), meta })
  }
}

/** The document with this relationship set. @throws {AppError} `id-mismatch` if it names another resource there */
export function withRelationship(body: unknown, name: string, data: { type: string; id: string }): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['data'])) return body
  const given = body['data']['relationships'] ?? {}
  if (!isJsonObject(given)) return body
  const sent = isJsonObject(given[name]) ? given[name]['data'] : undefined
  if (isJsonObject(sent) && sent['id'] !== data.id) throw new AppError('id-mismatch', { pointer: `/data/relationships/${name}/data/id` })
  return { ...body, data: { ...body['data'], relationships: { ...given, [name]: { data } } } }
}
