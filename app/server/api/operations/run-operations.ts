import { AppError, isAppError } from '../../../lib/app-error.ts'
import type { Operation as ShapeOperation } from '../../../lib/api-client/resource-shape.ts'
import { isJsonObject } from '../../../lib/is-json-object.ts'
import { type Ctx, withTx } from '../../context.ts'
import type { Tx } from '../../db/client.ts'
import { type ApiAnswer, type ApiCall, buildItemRules, parseCallQuery, requireVisible } from '../api-call.ts'
import { changeRowLinks, type LinkChange, requireChangeable } from '../change-links.ts'
import type { AnyResource } from '../implement.ts'
import { Loader } from '../loader.ts'
import { parseQuery } from '../parse-query.ts'
import { ATOMIC_EXTENSION, ATOMIC_MEDIA_TYPE, type DataDocument, JSONAPI, resourceLink } from '../protocol.ts'
import { readJson } from '../request-body.ts'
import { mayWriteSomething } from '../token-scopes.ts'
import { requireVersion } from '../versions.ts'
import {
  createResource,
  removeResource,
  requireChanger,
  requireCreatedThrough,
  requireCreator,
  updateResource,
  withRelationship,
} from '../write-resources.ts'
import { ATOMIC_TYPES } from './atomic-types.ts'
import { LocalIds } from './local-ids.ts'
import { type Operation, parseOperation, requireOperations, toOperationPointer } from './parse-operations.ts'

/** The last part of the address. */
export const OPERATIONS = 'operations'

export const OPERATIONS_BOUNDS = { bytes: 2_000_000, values: 60_000 }

/** The result of one operation: the resource that it created or changed. */
interface OperationResult {
  data?: DataDocument['data']
}

/**
 * Runs JSON:API atomic operations (https://jsonapi.org/ext/atomic/): in their order, all of them or none, in one transaction. Only
 * administrators have resources that can be changed so.
 * @throws {AppError} what the first operation that fails throws, with pointers into the document
 */
export async function runOperations(call: ApiCall): Promise<ApiAnswer> {
  parseCallQuery(call, { shape: undefined, include: false, filtered: false, paged: false })
  const { viewer } = call.ctx
  if (viewer.kind === 'visitor') throw new AppError('unauthenticated')
  if (viewer.roles.length === 0) throw new AppError('forbidden')
  if (!mayWriteSomething(viewer)) throw new AppError('forbidden', { detail: { key: 'outside-scope' } })
  refuseCondition(call.request)
  const given = requireOperations(await readJson(call.request, OPERATIONS_BOUNDS, [ATOMIC_EXTENSION]))
  const results = await call.ctx.db.tx((tx) => runInOrder(call, tx, given))
  return {
    status: 200,
    document: { jsonapi: { ...JSONAPI, ext: [ATOMIC_EXTENSION] }, 'atomic:results': results },
    contentType: ATOMIC_MEDIA_TYPE,
  }
}

async function runInOrder(call: ApiCall, tx: Tx, given: readonly unknown[]): Promise<OperationResult[]> {
  const ctx = withTx(withoutMemory(call.ctx), tx)
  const localIds = new LocalIds()
  const results: OperationResult[] = []
  for (const [index, item] of given.entries()) {
    try {
      results.push(await runOperation({ ...call, ctx, request: withoutHeaders(call.request) }, item, localIds))
    } catch (error) {
      throw isAppError(error) ? withOperationPointers(error, index) : error
    }
  }
  return results
}

/** Without the caches shared between requests: uncommitted changes must not get into them. */
function withoutMemory(ctx: Ctx): Ctx {
  const { rows: _rows, publicReads: _reads, publicAnswers: _answers, viewers: _viewers, ...runtime } = ctx.runtime
  return { ...ctx, runtime }
}

/**
 * If-Match is about one resource, and this address has none: ignoring it would overwrite what its sender wanted to keep. Each operation may
 * name its version in `meta.lockVersion`.
 * @throws {AppError} `precondition-failed`
 */
function refuseCondition(request: Request): void {
  if (request.headers.has('if-match')) throw new AppError('precondition-failed', { detail: { key: 'version-by-operation' } })
}

const withoutHeaders = ({ url }: Request): Request => new Request(url)

function withOperationPointers(error: AppError, index: number): AppError {
  const faults = error.faults.map((fault) => ({ ...fault, pointer: toOperationPointer(index) + (fault.pointer ?? '') }))
  return new AppError(error.code, { faults, ...(error.meta ? { meta: error.meta } : {}) })
}

async function runOperation(given: ApiCall, item: unknown, localIds: LocalIds): Promise<OperationResult> {
  const operation = parseOperation(item, localIds, given.url)
  const { op, type, id, relationship, through } = operation
  const resource = given.registry.find(type)
  if (!resource) throw new AppError('not-found')
  if (through === undefined) requireAtomic(resource)
  const call = { ...given, url: new URL(resourceLink(type, id ?? ''), given.url), loader: new Loader(given.ctx, given.registry) }
  if (relationship !== undefined) return runLinkOperation(call, resource, { ...operation, relationship })
  if (through !== undefined) return runCreateThrough(call, resource, { ...operation, through }, localIds)
  if (op === 'add') return runCreate(call, resource, operation, localIds)
  requireDeclared(resource, op)
  requireChanger(call, resource)
  const row = await requireVisible(call, resource, id ?? '')
  const answer =
    op === 'remove'
      ? await removeResource(call, resource, row, operation.version)
      : await updateResource(call, resource, parseNoQuery(call, resource), row, { data: withVersion(operation) })
  return toResult(answer)
}

/** @throws {AppError} `forbidden` for types that need a request of their own */
function requireAtomic({ shape: { type } }: AnyResource): void {
  if (!ATOMIC_TYPES.has(type)) throw new AppError('forbidden', { detail: { key: 'not-in-operations', values: { type } } })
}

/** The document of an update, with the version that its operation names unless it names one itself. */
function withVersion({ data, version }: Operation): unknown {
  if (version === undefined || !isJsonObject(data)) return data
  return { ...data, meta: { lockVersion: version, ...(isJsonObject(data['meta']) ? data['meta'] : {}) } }
}

/** Creates a target of a to-many relationship, as `POST /{type}/{id}/{name}` does. */
async function runCreateThrough(
  call: ApiCall,
  resource: AnyResource,
  operation: Operation & { through: string },
  localIds: LocalIds,
): Promise<OperationResult> {
  const { target, inverse } = requireCreatedThrough(call.registry, resource, operation.through)
  requireAtomic(target)
  const row = await requireVisible(call, resource, operation.id ?? '')
  const owner = { type: resource.shape.type, id: row.id }
  const { data } = withRelationship({ data: operation.data }, inverse, owner) as { data: unknown }
  return runCreate(call, target, { ...operation, data }, localIds)
}

async function runCreate(call: ApiCall, resource: AnyResource, { data, lid }: Operation, localIds: LocalIds): Promise<OperationResult> {
  requireDeclared(resource, 'create')
  requireCreator(call, resource)
  const result = toResult(await createResource(call, resource, parseNoQuery(call, resource), { data }))
  if (lid !== undefined) localIds.add(resource.shape.type, lid, (result.data as { id: string }).id)
  return result
}

const LINK_CHANGES: Record<Operation['op'], LinkChange> = { add: 'add', update: 'replace', remove: 'remove' }

async function runLinkOperation(
  call: ApiCall,
  resource: AnyResource,
  { op, id, relationship, data, version }: Operation & { relationship: string },
): Promise<OperationResult> {
  requireChanger(call, resource)
  const row = await requireVisible(call, resource, id ?? '')
  requireVersion(resource, row, version)
  const change = LINK_CHANGES[op]
  requireChangeable(resource, relationship, change)
  await changeRowLinks(call, resource, row, { name: relationship, change, body: { data } })
  return {}
}

/** JSON:API: what cannot be created, changed or removed at all is a 403. */
function requireDeclared({ shape }: AnyResource, operation: ShapeOperation): void {
  if (shape.operations.includes(operation)) return
  throw new AppError('forbidden', { detail: { key: 'operation-refused', values: { type: shape.type } } })
}

const parseNoQuery = ({ registry }: ApiCall, resource: AnyResource) => parseQuery(new URLSearchParams(), buildItemRules(resource), registry)

/** A document's resource as JSON, serialised now, before later operations change it. */
function toResult({ document }: ApiAnswer): OperationResult {
  const data = (document as DataDocument | undefined)?.data
  return data === undefined || data === null ? {} : { data: JSON.parse(JSON.stringify(data)) as DataDocument['data'] }
}
