import { isDeepStrictEqual } from 'node:util'
import * as v from 'valibot'
import { AppError, type Fault } from '../../lib/app-error.ts'
import { isJsonObject, type JsonObject } from '../../lib/is-json-object.ts'
import { type AnyShape, type CreateFlag, type RelationshipMap, toTranslationsName } from '../../lib/api-client/resource-shape.ts'
import { isId, createId } from '../../lib/uuid.ts'
import { toPointerStep, validateInput } from '../../lib/validate.ts'
import type { ResourceObject } from './protocol.ts'

export type WriteKind = 'create' | 'update' | 'put'

/** An id linked to in an input, to be checked against what the viewer may see. */
export interface WrittenLink {
  target: string
  id: string
  pointer: string
}

export interface ParsedInput {
  id: string
  /** Attributes and relationships by name, as the use-case expects them. */
  input: Record<string, unknown>
  /** The attributes as sent, to be shown beside the current ones after a conflict. */
  sent: Record<string, unknown>
  lockVersion: number | undefined
  links: WrittenLink[]
}

/** An id as rows spell it: PostgreSQL writes UUIDs in lower case. */
export const normaliseId = (id: string): string => (isId(id) ? id.toLowerCase() : id)

/**
 * Parses a resource document for writing. Ignores unknown members of the document and @-members, as JSON:API requires; unknown attributes
 * and relationships are faults.
 * @param id from the address, for `update` and `put`
 * @throws {AppError} with all faults at once; a type or id mismatch is reported alone
 */
export function parseInput(body: unknown, shape: AnyShape, writing: WriteKind, id?: string): ParsedInput {
  const data = requireData(body)
  requireMatchingIdentity(data, shape, writing, id)
  const faults: Fault[] = []
  const ownId = id ?? resolveClientId(data, shape, faults)
  const attributes = readMember(data, 'attributes', faults)
  const relationships = readMember(data, 'relationships', faults)
  const values = readAttributes(attributes, shape, writing, faults)
  const links: WrittenLink[] = []
  const linked = readRelationships(relationships, shape, writing, links, faults)
  const lockVersion = readLockVersion(data, shape, faults)
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const input = { ...values, ...linked, ...(writing === 'update' ? {} : { id: ownId }) }
  return { id: ownId, input, sent: attributes, lockVersion, links }
}

/** Names of the fields in an update that can be read but not changed here. Clients that save whole resources send these back. */
export function listFixedFields(body: unknown, shape: AnyShape): { attributes: string[]; relationships: string[] } {
  const data = isJsonObject(body) && isJsonObject(body['data']) ? body['data'] : {}
  const namesIn = (member: unknown) => (isJsonObject(member) ? Object.keys(member) : [])
  const isFixed = (declared: { update: boolean } | undefined) => declared !== undefined && !declared.update
  return {
    attributes: namesIn(data['attributes']).filter((name) => {
      const declared = Object.hasOwn(shape.attributes, name) ? shape.attributes[name] : undefined
      return declared?.kind === 'translated' || isFixed(declared)
    }),
    relationships: namesIn(data['relationships']).filter((name) =>
      isFixed(Object.hasOwn(shape.relationships, name) ? shape.relationships[name] : undefined),
    ),
  }
}

/** Leaves out fixed fields that are sent back as they were read, and relationships that are sent back as links only. */
export function dropUnchanged(body: unknown, fixed: ReturnType<typeof listFixedFields>, current: ResourceObject | undefined): unknown {
  if (!isJsonObject(body) || !isJsonObject(body['data'])) return body
  const { attributes, relationships, ...rest } = body['data']
  const keptOf = (member: unknown, isDropped: (name: string, value: unknown) => boolean): unknown =>
    isJsonObject(member) ? Object.fromEntries(Object.entries(member).filter(([name, value]) => !isDropped(name, value))) : member
  const isSame = (one: unknown, other: unknown) => isDeepStrictEqual(one, JSON.parse(JSON.stringify(other ?? null)))
  const kept = {
    attributes: keptOf(attributes, (name, value) => fixed.attributes.includes(name) && isSame(value, current?.attributes?.[name])),
    relationships: keptOf(relationships, (name, value) => {
      if (!isJsonObject(value)) return false
      if (!('data' in value)) return 'links' in value || 'meta' in value
      return fixed.relationships.includes(name) && isSame(value['data'], current?.relationships?.[name]?.data)
    }),
  }
  const members = Object.entries(kept).filter(([, member]) => member !== undefined)
  return { ...body, data: { ...rest, ...Object.fromEntries(members) } }
}

function requireData(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw new AppError('bad-request', { pointer: '', detail: { key: 'document-expected' } })
  if (!('data' in body)) throw new AppError('bad-request', { pointer: '', detail: { key: 'data-missing' } })
  if (!isJsonObject(body['data'])) throw new AppError('bad-request', { pointer: '/data', detail: { key: 'data-not-single' } })
  return body['data']
}

function requireMatchingIdentity(data: JsonObject, shape: AnyShape, writing: WriteKind, id: string | undefined): void {
  if (typeof data['type'] !== 'string') throw new AppError('bad-request', { pointer: '/data', detail: { key: 'type-missing' } })
  if (data['type'] !== shape.type)
    throw new AppError('type-mismatch', { pointer: '/data/type', detail: { key: 'only-type', values: { type: shape.type } } })
  if (writing === 'create' || shape.kind === 'singleton') return
  if (data['id'] === undefined) throw new AppError('bad-request', { pointer: '/data', detail: { key: 'id-missing' } })
  if (typeof data['id'] !== 'string' || normaliseId(data['id']) !== id) throw new AppError('id-mismatch', { pointer: '/data/id' })
}

function resolveClientId(data: JsonObject, shape: AnyShape, faults: Fault[]): string {
  if (data['id'] === undefined) return createId()
  if (!shape.clientIds)
    throw new AppError('forbidden', { pointer: '/data/id', detail: { key: 'ids-by-server', values: { type: shape.type } } })
  if (v.is(shape.id, data['id'])) return normaliseId(data['id'])
  faults.push({ code: 'wrong-format', pointer: '/data/id' })
  return ''
}

function readMember(data: JsonObject, name: 'attributes' | 'relationships', faults: Fault[]): JsonObject {
  const member = data[name]
  if (member === undefined) return {}
  // JSON:API: @-members belong to other vocabularies and are never attributes or relationships.
  if (isJsonObject(member)) return Object.fromEntries(Object.entries(member).filter(([key]) => !key.startsWith('@')))
  faults.push({ code: 'wrong-type', pointer: `/data/${name}`, detail: { key: 'object-expected' } })
  return {}
}

const selectFlag = (declared: { create: CreateFlag; update: boolean }, writing: WriteKind): CreateFlag =>
  writing === 'update' ? (declared.update ? 'optional' : false) : declared.create

function readAttributes(given: JsonObject, shape: AnyShape, writing: WriteKind, faults: Fault[]): JsonObject {
  const entries: Record<string, v.GenericSchema> = {}
  for (const [name, declared] of Object.entries(shape.attributes)) {
    const flag = selectFlag(declared, writing)
    if (flag === false) continue
    const needed = flag === 'required' || isOptional(declared.schema)
    entries[declared.kind === 'translated' ? toTranslationsName(name) : name] = needed ? declared.schema : v.optional(declared.schema)
  }
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(entries, name) || faults.length >= 100) continue
    faults.push({ code: 'unknown-attribute', pointer: `/data/attributes${toPointerStep(name)}` })
  }
  // An update touches only the attributes it names, so that schema defaults never overwrite stored values.
  const named = Object.fromEntries(Object.entries(entries).filter(([name]) => writing !== 'update' || Object.hasOwn(given, name)))
  const checked = validateInput(v.object(named), given, { at: '/data/attributes' })
  if (checked.ok) return checked.output
  faults.push(...checked.faults)
  return {}
}

const isOptional = (schema: v.GenericSchema): boolean => ['optional', 'nullish', 'exact_optional', 'undefinedable'].includes(schema.type)

function readRelationships(given: JsonObject, shape: AnyShape, writing: WriteKind, links: WrittenLink[], faults: Fault[]): JsonObject {
  const linked: JsonObject = {}
  for (const [name, relationship] of Object.entries(given)) {
    const at = `/data/relationships${toPointerStep(name)}`
    const declared: RelationshipMap[string] | undefined = Object.hasOwn(shape.relationships, name) ? shape.relationships[name] : undefined
    if (!declared) faults.push({ code: 'unknown-attribute', pointer: at })
    else if (selectFlag(declared, writing) === false) faults.push({ code: 'forbidden', pointer: at, detail: { key: 'relationship-fixed' } })
    else if (!isJsonObject(relationship) || !('data' in relationship))
      faults.push({ code: 'wrong-type', pointer: at, detail: { key: 'relationship-data-missing' } })
    else linked[name] = readLinkage(relationship['data'], declared, `${at}/data`, links, faults)
  }
  for (const [name, declared] of Object.entries(shape.relationships)) {
    if (selectFlag(declared, writing) === 'required' && !Object.hasOwn(given, name)) {
      faults.push({ code: 'required', pointer: `/data/relationships/${name}` })
    }
  }
  return linked
}

/** Parses linkage into the id or ids of the declared target. A wrong type, or a null that is not allowed, has its own fault. */
export function readLinkage(data: unknown, declared: RelationshipMap[string], pointer: string, links: WrittenLink[], faults: Fault[]) {
  if (declared.kind === 'to-one') {
    if (data !== null) return readIdentifier(data, declared.target, pointer, links, faults)
    if (!declared.nullable) faults.push({ code: 'required', pointer })
    return null
  }
  if (!Array.isArray(data)) {
    faults.push({ code: 'wrong-type', pointer, detail: { key: 'identifiers-expected' } })
    return []
  }
  if (data.length > 1000) {
    faults.push({ code: 'too-many', pointer, values: { max: 1000 } })
    return []
  }
  const ids = data.map((item: unknown, index) => readIdentifier(item, declared.target, `${pointer}/${index}`, links, faults))
  return [...new Set(ids)]
}

function readIdentifier(item: unknown, target: string, pointer: string, links: WrittenLink[], faults: Fault[]): string {
  if (!isJsonObject(item) || typeof item['type'] !== 'string' || typeof item['id'] !== 'string') {
    faults.push({ code: 'wrong-type', pointer, detail: { key: 'identifier-incomplete' } })
    return ''
  }
  if (item['type'] !== target) {
    faults.push({ code: 'type-mismatch', pointer: `${pointer}/type`, detail: { key: 'only-type', values: { type: target } } })
    return ''
  }
  const id = normaliseId(item['id'])
  links.push({ target, id, pointer })
  return id
}

function readLockVersion(data: JsonObject, shape: AnyShape, faults: Fault[]): number | undefined {
  if (!shape.locked) return undefined
  const meta = data['meta']
  const version = isJsonObject(meta) ? meta['lockVersion'] : undefined
  if (version === undefined) return undefined
  if (isLockVersion(version)) return version
  faults.push({ code: 'not-a-number', pointer: '/data/meta/lockVersion' })
  return undefined
}

export const isLockVersion = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value < 2 ** 31

/** Use-case faults have pointers relative to the input; this rewrites them as pointers into the document. */
export function withDocumentPointers(error: AppError, shape: AnyShape): AppError {
  const faults = error.faults.map((fault) => ({
    ...fault,
    ...(fault.pointer === undefined ? {} : { pointer: toDocumentPointer(fault.pointer, shape) }),
  }))
  return new AppError(error.code, { faults, ...(error.meta ? { meta: error.meta } : {}) })
}

function toDocumentPointer(pointer: string, shape: AnyShape): string {
  if (pointer === '' || pointer === '/data' || pointer.startsWith('/data/')) return pointer
  const [, first = ''] = pointer.split('/')
  if (Object.hasOwn(shape.relationships, first)) return `/data/relationships/${first}/data`
  return `/data/attributes${pointer}`
}
