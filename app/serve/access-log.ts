import type { ServerResponse } from 'node:http'
import type { Logger } from '../server/log.ts'

/** Which part of the server answered a request. */
export type AnswerSource = 'file' | 'kept' | 'rendered' | 'own' | 'api' | 'health' | 'plain'

export interface LoggedRequest {
  id: string
  method: string
  path: string
  source: AnswerSource
  startedAt: number
  site?: string | undefined
}

type IsPathWord = (part: string) => boolean

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i
const MAX_PATH_LENGTH = 200

/**
 * Logs one line per answered request. It holds no query, address or user agent, and only path segments that are our own names or ids, so
 * that the log holds no personal data. Files and health checks are logged at debug level.
 */
export function logWhenDone(response: ServerResponse, log: Logger, logged: LoggedRequest, isPathWord: IsPathWord): void {
  response.once('close', () => {
    const level = logged.source === 'file' || logged.source === 'health' ? 'debug' : 'info'
    log[level]('request', {
      requestId: logged.id,
      method: logged.method,
      path: publicPath(logged.path, isPathWord),
      status: response.statusCode,
      ms: Math.round((performance.now() - logged.startedAt) * 10) / 10,
      source: logged.source,
      ...(logged.site ? { site: logged.site } : {}),
      ...(response.writableFinished ? {} : { cut: true }),
    })
  })
}

/** A path that is safe to log. Any segment we did not name may be something that somebody typed or pasted, whatever the response. */
export const publicPath = (path: string, isPathWord: IsPathWord): string =>
  path
    .slice(0, MAX_PATH_LENGTH)
    .split('/')
    .map((part) => (part === '' || UUID.test(part) || isPathWord(part) ? part : '…'))
    .join('/')
