import { AppError, type DetailKey } from '../../../lib/app-error.ts'
import { isJsonObject, type JsonObject } from '../../../lib/is-json-object.ts'
import { normaliseId } from '../parse-input.ts'
import { API_BASE } from '../protocol.ts'
import type { LocalIds } from './local-ids.ts'

const OP_CODES = ['add', 'update', 'remove'] as const
/** Most operations of one request. */
export const MAX_OPERATIONS = 100

export interface Operation {
  op: (typeof OP_CODES)[number]
  type: string
  /** Absent if a resource is created. */
  id?: string
  /** Name of the relationship, if that is what changes. */
  relationship?: string
  /** The primary data, with the ids of resources that earlier operations created in place of their local ids. */
  data: unknown
  /** The local id by which later operations name the resource that this one creates. */
  lid?: string
}

/** JSON pointer to the operation at this index. */
export const toOperationPointer = (index: number): string => `/atomic:operations/${index}`

/** @throws {AppError} `bad-request` without a list of operations; `invalid` with `too-few` or `too-many` */
export function requireOperations(body: unknown): unknown[] {
  const operations = isJsonObject(body) ? body['atomic:operations'] : undefined
  if (!Array.isArray(operations)) throw new AppError('bad-request', { pointer: '', detail: { key: 'operations-missing' } })
  const pointer = '/atomic:operations'
  if (operations.length === 0) throw new AppError('invalid', { faults: [{ code: 'too-few', pointer, values: { min: 1 } }] })
  if (operations.length > MAX_OPERATIONS)
    throw new AppError('invalid', { faults: [{ code: 'too-many', pointer, values: { max: MAX_OPERATIONS } }] })
  return operations
}

/** Parses one operation object. @throws {AppError} with pointers relative to it */
export function parseOperation(given: unknown, localIds: LocalIds): Operation {
  if (!isJsonObject(given)) throw createBadRequest('', 'object-expected')
  const op = OP_CODES.find((code) => code === given['op'])
  if (!op) throw createBadRequest('/op', 'operation-unknown')
  const { id, type, relationship } = readTarget(given, localIds)
  if (relationship !== undefined) {
    if (id === undefined) throw createBadRequest('/ref', 'id-missing')
    return { op, type, id, relationship, data: localIds.resolveLinkage(given['data'], '/data') }
  }
  const linked = localIds.resolveRelationships(given['data'])
  if (op === 'add') {
    const lid = isJsonObject(linked) && typeof linked['lid'] === 'string' ? linked['lid'] : undefined
    return { op, type, data: linked, ...(lid === undefined ? {} : { lid }) }
  }
  const data = localIds.resolveIdentifier(linked, '/data')
  const own = id ?? (isJsonObject(data) && typeof data['id'] === 'string' ? normaliseId(data['id']) : undefined)
  if (own === undefined) throw createBadRequest('', 'target-missing')
  return { op, type, id: own, data }
}

interface Target {
  type: string
  id?: string
  relationship?: string
}

/** What `ref` or `href` names, else the type of the data. */
function readTarget({ ref, href, data }: JsonObject, localIds: LocalIds): Target {
  if (ref !== undefined && href !== undefined) throw createBadRequest('', 'target-twice')
  if (href !== undefined) return readAddress(href)
  if (ref === undefined) {
    if (!isJsonObject(data) || typeof data['type'] !== 'string') throw createBadRequest('', 'target-missing')
    return { type: data['type'] }
  }
  if (!isJsonObject(ref)) throw createBadRequest('/ref', 'object-expected')
  const { type, relationship } = ref
  if (typeof type !== 'string') throw createBadRequest('/ref', 'type-missing')
  const { id } = localIds.resolveIdentifier(ref, '/ref') as JsonObject
  return {
    type,
    ...(typeof id === 'string' ? { id: normaliseId(id) } : {}),
    ...(typeof relationship === 'string' ? { relationship } : {}),
  }
}

/** `/projects`, `/projects/{id}` or `/projects/{id}/relationships/{name}`, also with the base address before it. */
function readAddress(href: unknown): Target {
  const path = typeof href === 'string' ? href.replace(new RegExp(`^${API_BASE}(?=/)`), '') : ''
  const [, type, id, relationship] = /^\/([a-z-]+)(?:\/([^/]+)(?:\/relationships\/(\w+))?)?\/?$/.exec(path) ?? []
  if (type === undefined) throw createBadRequest('/href', 'target-missing')
  return { type, ...(id === undefined ? {} : { id: normaliseId(id) }), ...(relationship === undefined ? {} : { relationship }) }
}

const createBadRequest = (pointer: string, key: DetailKey): AppError => new AppError('bad-request', { pointer, detail: { key } })
