import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Registry } from '../server/api/create-registry.ts'
import { traceRequest } from '../server/tracing/tracing.ts'
import type { LoggedRequest } from './access-log.ts'
import { findRouteLabel } from './request-metrics.ts'
import type { FindRoute } from './route-search.ts'

export type TraceRequest = (request: IncomingMessage, response: ServerResponse, logged: LoggedRequest, handle: () => void) => void

/** Makes a trace of each request. */
export function createRequestTracer(believesProxy: boolean, findPage: FindRoute, apiResources: Registry): TraceRequest {
  return ({ headers }, response, logged, handle) =>
    traceRequest(
      { headers, believesProxy },
      (finish) =>
        response.once('close', () =>
          finish({
            method: logged.method,
            route: findRouteLabel(logged, findPage, apiResources),
            status: response.headersSent ? response.statusCode : undefined,
            requestId: logged.id,
            site: logged.site,
            source: logged.source,
          }),
        ),
      handle,
    )
}
