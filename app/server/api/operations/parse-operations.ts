import { AppError, type DetailKey } from '../../../lib/app-error.ts'
import { isJsonObject, type JsonObject } from '../../../lib/is-json-object.ts'
import { isLockVersion, normaliseId } from '../parse-input.ts'
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
  /** Name of the to-many relationship through which the new resource is created. */
  through?: string
  /** The primary data, with the ids of resources that earlier operations created in place of their local ids. */
  data: unknown
  /** The local id by which later operations name the resource that this one creates. */
  lid?: string
  /** The version that the change is based on, if its sender named one. */
  version?: number
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

/**
 * Parses one operation object.
 * @param base the address that the request was sent to
 * @throws {AppError} with pointers relative to the operation
 */
export function parseOperation(given: unknown, localIds: LocalIds, base: URL): Operation {
  if (!isJsonObject(given)) throw createBadRequest('', 'object-expected')
  const op = OP_CODES.find((code) => code === given['op'])
  if (!op) throw createBadRequest('/op', 'operation-unknown')
  const target = readTarget(given, localIds, base)
  const { id, type, relationship } = target
  const version = readVersion(given)
  if (relationship !== undefined) {
    if (id === undefined) throw createBadRequest('/ref', 'id-missing')
    return { op, type, id, relationship, data: localIds.resolveLinkage(given['data'], '/data'), ...version }
  }
  const linked = localIds.resolveRelationships(given['data'])
  if (op === 'add') return { op, ...requireCollection(target, given), data: linked, ...readLocalId(linked) }
  if (target.through !== undefined) throw createBadRequest('/href', 'target-missing')
  const data = localIds.resolveIdentifier(linked, '/data')
  const own = id ?? (isJsonObject(data) && typeof data['id'] === 'string' ? normaliseId(data['id']) : undefined)
  if (own === undefined) throw createBadRequest('', 'target-missing')
  return { op, type, id: own, data, ...version }
}

/** An `add` must not target an existing resource: the client may expect it to be changed. */
function requireCollection(target: Target, { href }: JsonObject): Target {
  if (target.id === undefined || target.through !== undefined) return target
  throw createBadRequest(href === undefined ? '/ref' : '/href', 'target-exists')
}

function readLocalId(data: unknown): { lid?: string } {
  return isJsonObject(data) && typeof data['lid'] === 'string' ? { lid: data['lid'] } : {}
}

/** A removal has no document that could name the version it is based on, so each operation may. */
function readVersion({ meta }: JsonObject): { version?: number } {
  const version = isJsonObject(meta) ? meta['lockVersion'] : undefined
  if (version === undefined) return {}
  if (!isLockVersion(version)) throw new AppError('invalid', { faults: [{ code: 'not-a-number', pointer: '/meta/lockVersion' }] })
  return { version }
}

interface Target {
  type: string
  id?: string
  relationship?: string
  through?: string
}

/** What `ref` or `href` names, else the type of the data. */
function readTarget({ ref, href, data }: JsonObject, localIds: LocalIds, base: URL): Target {
  if (ref !== undefined && href !== undefined) throw createBadRequest('', 'target-twice')
  if (href !== undefined) return readAddress(href, base)
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

/** A reference (RFC 3986) to an address of this API; `/projects/{id}` is understood without the base as well. */
function readAddress(href: unknown, base: URL): Target {
  const url = typeof href === 'string' && URL.canParse(href, base) ? new URL(href, base) : undefined
  const isOurs = url && /^https?:$/.test(url.protocol) && url.host === base.host && url.search + url.hash === ''
  const path = isOurs ? url.pathname.replace(new RegExp(`^${API_BASE}(?=/)`), '') : ''
  const [, type, id, relationship, through] = /^\/([a-z-]+)(?:\/([^/]+)(?:\/relationships\/(\w+)|\/(\w+))?)?\/?$/.exec(path) ?? []
  if (type === undefined) throw createBadRequest('/href', 'target-missing')
  return {
    type,
    ...(id === undefined ? {} : { id: normaliseId(id) }),
    ...(relationship === undefined ? {} : { relationship }),
    ...(through === undefined ? {} : { through }),
  }
}

const createBadRequest = (pointer: string, key: DetailKey): AppError => new AppError('bad-request', { pointer, detail: { key } })
