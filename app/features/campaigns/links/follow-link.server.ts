import { AppError } from '#app/lib/app-error.ts'
import { createRefusedFileResponse } from '#app/server/refused-file.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { findLinkTarget } from './message-links.server.ts'

/** Leads on from the short address of a message's link. The front counts it (`countClick`). */
export async function followLink({
  context: { ctx },
  params: { code },
}: {
  context: RequestContext
  params: { code: string }
}): Promise<Response> {
  const location = await findLinkTarget(ctx, code)
  if (location === undefined) return createRefusedFileResponse(ctx, new AppError('not-found'))
  return new Response(null, {
    status: 302,
    headers: { location, 'cache-control': 'private, no-store', 'x-robots-tag': 'noindex', 'referrer-policy': 'no-referrer' },
  })
}
