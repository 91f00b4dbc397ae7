import type { ServerResponse } from 'node:http'
import type { Logger } from '../server/log.ts'

/** How a request was answered, for its line in the log. */
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
 * One line for each answered request. It holds no query, no address, no name of a browser and no part of a path but names of ours and identifiers,
 * so that logs hold nothing of people. Files and health checks are told at level debug.
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

/** An address as the log may have it. What is no name of ours may be anything that somebody typed or pasted, whatever was answered. */
export const publicPath = (path: string, isPathWord: IsPathWord): string =>
  path
    .slice(0, MAX_PATH_LENGTH)
    .split('/')
    .map((part) => (part === '' || UUID.test(part) || isPathWord(part) ? part : '…'))
    .join('/')
