import * as v from 'valibot'
import { AppError, type Fault } from '../../lib/app-error.ts'
import { type AnyShape, type CreateFlag, type RelationshipMap, toTranslationsName } from '../../lib/api-client/resource-shape.ts'
import { isId, createId } from '../../lib/uuid.ts'
import { toPointerStep, validateInput } from '../../lib/validate.ts'

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

type Json = Record<string, unknown>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** An id as rows spell it: PostgreSQL writes UUIDs in lower case. */
export const normaliseId = (id: string): string => (isId(id) ? id.toLowerCase() : id)

/**
 * Parses a resource document for writing. Ignores unknown members of the document, as JSON:API requires; unknown attributes and
 * relationships are faults.
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
  const lockVersion = readLockVersion(data, shape, writing === 'update', faults)
  if (faults.length > 0) throw new AppError('invalid', { faults })
  const input = { ...values, ...linked, ...(writing === 'update' ? {} : { id: ownId }) }
  return { id: ownId, input, sent: attributes, lockVersion, links }
}

function requireData(body: unknown): Json {
  if (!isObject(body)) throw new AppError('bad-request', { pointer: '', detail: 'The body must be a JSON:API document.' })
  if (!('data' in body)) throw new AppError('bad-request', { pointer: '', detail: 'The document must have `data`.' })
  if (!isObject(body['data'])) throw new AppError('bad-request', { pointer: '/data', detail: '`data` must be a single resource object.' })
  return body['data']
}

function requireMatchingIdentity(data: Json, shape: AnyShape, writing: WriteKind, id: string | undefined): void {
  if (typeof data['type'] !== 'string')
    throw new AppError('bad-request', { pointer: '/data', detail: 'The resource object must have a type.' })
  if (data['type'] !== shape.type)
    throw new AppError('type-mismatch', { pointer: '/data/type', detail: `Only ${shape.type} can be used here.` })
  if (writing === 'create' || shape.kind === 'singleton') return
  if (data['id'] === undefined) throw new AppError('bad-request', { pointer: '/data', detail: 'The resource object must have an id.' })
  if (typeof data['id'] !== 'string' || normaliseId(data['id']) !== id) throw new AppError('id-mismatch', { pointer: '/data/id' })
}

function resolveClientId(data: Json, shape: AnyShape, faults: Fault[]): string {
  if (data['id'] === undefined) return createId()
  if (!shape.clientIds) throw new AppError('forbidden', { pointer: '/data/id', detail: `The server creates the ids of ${shape.type}.` })
  if (v.is(shape.id, data['id'])) return normaliseId(data['id'])
  faults.push({ code: 'wrong-format', pointer: '/data/id' })
  return ''
}

function readMember(data: Json, name: 'attributes' | 'relationships', faults: Fault[]): Json {
  const member = data[name]
  if (member === undefined) return {}
  if (isObject(member)) return member
  faults.push({ code: 'wrong-type', pointer: `/data/${name}`, detail: 'This must be an object.' })
  return {}
}

const selectFlag = (declared: { create: CreateFlag; update: boolean }, writing: WriteKind): CreateFlag =>
  writing === 'update' ? (declared.update ? 'optional' : false) : declared.create

function readAttributes(given: Json, shape: AnyShape, writing: WriteKind, faults: Fault[]): Json {
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

function readRelationships(given: Json, shape: AnyShape, writing: WriteKind, links: WrittenLink[], faults: Fault[]): Json {
  const linked: Json = {}
  for (const [name, relationship] of Object.entries(given)) {
    const at = `/data/relationships${toPointerStep(name)}`
    const declared: RelationshipMap[string] | undefined = Object.hasOwn(shape.relationships, name) ? shape.relationships[name] : undefined
    if (!declared || selectFlag(declared, writing) === false) faults.push({ code: 'unknown-attribute', pointer: at })
    else if (!isObject(relationship) || !('data' in relationship))
      faults.push({ code: 'wrong-type', pointer: at, detail: 'A relationship must have `data`.' })
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
    faults.push({ code: 'wrong-type', pointer, detail: 'This must be a list of resource identifiers.' })
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
  if (!isObject(item) || typeof item['type'] !== 'string' || typeof item['id'] !== 'string') {
    faults.push({ code: 'wrong-type', pointer, detail: 'A resource identifier must have a type and an id.' })
    return ''
  }
  if (item['type'] !== target) {
    faults.push({ code: 'type-mismatch', pointer: `${pointer}/type`, detail: `Only ${target} can be used here.` })
    return ''
  }
  const id = normaliseId(item['id'])
  links.push({ target, id, pointer })
  return id
}

function readLockVersion(data: Json, shape: AnyShape, needed: boolean, faults: Fault[]): number | undefined {
  if (!shape.locked) return undefined
  const meta = data['meta']
  const version = isObject(meta) ? meta['lockVersion'] : undefined
  if (version === undefined) {
    if (needed) faults.push({ code: 'required', pointer: '/data/meta/lockVersion' })
    return undefined
  }
  if (typeof version === 'number' && Number.isInteger(version) && version > 0 && version < 2 ** 31) return version
  faults.push({ code: 'not-a-number', pointer: '/data/meta/lockVersion' })
  return undefined
}

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
