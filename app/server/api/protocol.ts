import type { ResourceText } from './encode-document.ts'

/** JSON:API 1.1 constants shared by the whole engine. */

export const MEDIA_TYPE = 'application/vnd.api+json'
export const API_BASE = '/api/v2'
export const JSONAPI = { version: '1.1' } as const
/** https://jsonapi.org/ext/atomic/ */
export const ATOMIC_EXTENSION = 'https://jsonapi.org/ext/atomic'
export const ATOMIC_MEDIA_TYPE = `${MEDIA_TYPE}; ext="${ATOMIC_EXTENSION}"`

/** For a request that changes a relationship: about a thousand resource identifiers. */
export const LINKAGE_BOUNDS = { bytes: 128_000, values: 4_000 }
/** Nesting depth of objects and lists in a request body. */
export const MAX_JSON_DEPTH = 32
export const MAX_INCLUDE_PATHS = 20
export const DEEPEST_INCLUDE = 3
export const MAX_INCLUDED = 1000
export const LAST_PAGE = 100_000

interface Identifier {
  type: string
  id: string
}

export type Linkage = Identifier | null | readonly Identifier[]

export interface RelationshipObject {
  links?: Record<string, string>
  data?: Linkage
}

export interface ResourceObject extends Identifier {
  attributes?: Record<string, unknown>
  relationships?: Record<string, RelationshipObject>
  links?: Record<string, string>
  meta?: Record<string, unknown>
}

/** A resource object, or its JSON. */
export type PresentedResource = ResourceObject | ResourceText

export interface ErrorObject {
  id?: string
  status: string
  code: string
  title: string
  detail?: string
  source?: { pointer?: string; parameter?: string }
  meta?: Record<string, unknown>
}

export interface DataDocument {
  jsonapi: typeof JSONAPI
  links: Record<string, string | null>
  data: PresentedResource | Linkage | readonly PresentedResource[]
  included?: readonly PresentedResource[]
  meta?: Record<string, unknown>
}

export const resourceLink = (type: string, id: string): string => `${API_BASE}/${type}/${encodeURIComponent(id)}`
