import { AppError } from '../../lib/app-error.ts'
import type { AnyResource, AnyRow } from './implement.ts'

/** The entity tag of a resource with a lock version: the version itself. */
export function buildTagHeader({ implementation }: AnyResource, row: AnyRow | null | undefined): Record<string, string> {
  return row && implementation.lockVersion ? { etag: `"${implementation.lockVersion(row)}"` } : {}
}

/**
 * What the client's If-Match says about a row: whether it names the row's version, or undefined without the header. Proxies that compress
 * weaken tags, so weak ones count as well.
 */
function isMatched(request: Request, { implementation }: AnyResource, row: AnyRow): { any: boolean } | undefined {
  const header = request.headers.get('if-match')?.trim()
  if (!header) return undefined
  if (header === '*') return { any: true }
  const version = implementation.lockVersion?.(row)
  const named = header.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  if (version !== undefined && named.includes(`"${version}"`)) return { any: false }
  throw new AppError('precondition-failed', { detail: { key: 'changed-meanwhile' } })
}

export interface BaseVersion {
  /** The version that the change is based on; undefined for resources without versions. */
  version: number | undefined
  /** The sender named no version: whatever was saved meanwhile is overwritten. */
  isUnchecked: boolean
  /** The sender named the version in If-Match, so a stale save is a failed precondition. */
  isByHeader: boolean
}

/**
 * The version that a change is based on: the document's, else that of If-Match, else the row's own.
 * @throws {AppError} `precondition-failed` if If-Match names other versions only
 */
export function selectBaseVersion(request: Request, resource: AnyResource, row: AnyRow, sent: number | undefined): BaseVersion {
  const matched = isMatched(request, resource, row)
  const isByHeader = matched?.any === false
  if (sent !== undefined) return { version: sent, isUnchecked: false, isByHeader }
  const version = resource.implementation.lockVersion?.(row)
  return { version, isUnchecked: version !== undefined && !isByHeader, isByHeader }
}

/** @throws {AppError} `stale` if the sender named another version than the row's */
export function requireVersion({ implementation }: AnyResource, row: AnyRow, sent: number | undefined): void {
  const version = implementation.lockVersion?.(row)
  if (sent !== undefined && version !== undefined && sent !== version) throw new AppError('stale')
}
