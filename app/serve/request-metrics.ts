import type { ServerResponse } from 'node:http'
import { splitLanguage } from '../lib/languages.ts'
import type { Registry } from '../server/api/create-registry.ts'
import { isApiPath } from '../server/api/create-handler.ts'
import { API_BASE } from '../server/api/protocol.ts'
import type { Metrics } from '../server/metrics/metrics.ts'
import type { LoggedRequest } from './access-log.ts'
import { isFunctionCall } from './read-call.ts'
import type { FindRoute } from './route-search.ts'

export type CountRequest = (response: ServerResponse, logged: LoggedRequest) => void

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Counts each request once it is answered, under the pattern of its route: whatever a client makes up gets no label of its own. */
export function createRequestCounter(metrics: Metrics, findPage: FindRoute, apiResources: Registry): CountRequest {
  return (response, logged) => {
    response.once('close', () => {
      metrics.noteRequest({
        route: findRouteLabel(logged, findPage, apiResources),
        method: METHODS.has(logged.method) ? logged.method : 'other',
        status: response.headersSent ? String(response.statusCode) : 'none',
        seconds: (performance.now() - logged.startedAt) / 1000,
      })
    })
  }
}

/** A route such as `/projects/$slug`, or a word for what has none. */
export function findRouteLabel(logged: Pick<LoggedRequest, 'path' | 'source'>, findPage: FindRoute, apiResources: Registry): string {
  if (logged.source === 'file' || logged.source === 'health') return logged.source
  if (isApiPath(logged.path)) return findApiRoute(logged.path, apiResources)
  if (isFunctionCall(logged.path)) return 'server function'
  return findPage(splitLanguage(logged.path).path) ?? 'unknown'
}

function findApiRoute(path: string, apiResources: Registry): string {
  const [type = '', id, ...rest] = path.slice(API_BASE.length + 1).split('/')
  if (type === 'openapi.json' || type === 'operations') return `${API_BASE}/${type}`
  const shape = apiResources.find(type)?.shape
  if (!shape) return `${API_BASE}/unknown`
  if (!id) return `${API_BASE}/${type}`
  const relationship = rest.at(-1)
  if (relationship === undefined || !Object.hasOwn(shape.relationships, relationship)) return `${API_BASE}/${type}/$id`
  return `${API_BASE}/${type}/$id/${relationship}`
}
