import { readPreviewData } from '../features/homepage/homepage.preview.functions.ts'
import { readLetterPreview } from '../features/campaigns/newsletters/newsletters.functions.ts'
import { savePaperResponse } from '../features/surveys/entry/entry.functions.ts'
import { keepAnswers } from '../features/surveys/answering/answering.functions.ts'
import { ANSWERS_BOUNDS } from '../features/surveys/questionnaire/answer-limits.ts'
import { type AppError, isAppError } from '../lib/app-error.ts'
import { parseJson } from '../server/api/request-body.ts'
import { readBoundedBody } from '../server/bounded-body.ts'
import type { Ctx } from '../server/context.ts'
import { authoriseCall } from './authorise-call.ts'

const SERVER_FUNCTION_BASE = '/_serverFn/'
/** A homepage or newsletter, with the API's limits. */
const PREVIEW_BOUNDS = { bytes: 1_000_000, values: 62_500 }
/** The serialisation of a call wraps every text, list and object, which makes it twice as long and three times as deep. */
const toCallBounds = (bounds: { bytes: number; values: number }) => ({ bytes: 2 * bounds.bytes, values: 4 * bounds.values })
export const SMALL_CALL = toCallBounds({ bytes: 16_000, values: 1000 })
export const DEEPEST_CALL = 150
/** Limits for calls larger than SMALL_CALL. */
export const LARGE_CALL_BOUNDS = new Map([
  [keepAnswers.url, toCallBounds(ANSWERS_BOUNDS)],
  [savePaperResponse.url, toCallBounds(ANSWERS_BOUNDS)],
  [readPreviewData.url, toCallBounds(PREVIEW_BOUNDS)],
  [readLetterPreview.url, toCallBounds(PREVIEW_BOUNDS)],
])

export const isFunctionCall = (pathname: string): boolean => pathname.startsWith(SERVER_FUNCTION_BASE)
/** True if the path names a function at all. */
export const hasFunctionName = (pathname: string): boolean => /^[\w-]+$/.test(pathname.slice(SERVER_FUNCTION_BASE.length))

/**
 * Reads a server function call within the function's limits, before the framework parses it.
 * @returns the request to pass to the framework; `refusal` if the function must not be called
 */
export async function readCall(ctx: Ctx, request: Request, url: URL): Promise<{ request: Request; refusal?: AppError }> {
  const { bytes, values } = LARGE_CALL_BOUNDS.get(url.pathname) ?? SMALL_CALL
  const bounds = { values, depth: DEEPEST_CALL }
  try {
    if (request.method !== 'POST') {
      const payload = url.searchParams.get('payload')
      if (payload !== null) parseJson(Buffer.from(payload), bounds)
      return { request }
    }
    await authoriseCall(ctx, url.pathname)
    const body = await readBoundedBody(request, bytes)
    if (request.headers.get('content-type')?.startsWith('application/json')) parseJson(body, bounds)
    const { method, headers, signal } = request
    return { request: new Request(request.url, { method, headers, signal, body: new Uint8Array(body) }) }
  } catch (error) {
    if (!isAppError(error)) throw error
    return { request, refusal: error }
  }
}
