import handler from '@tanstack/react-start/server-entry'
import { respond } from './serve/respond.ts'

export { serve } from './serve/serve.ts'

/** Everything that is not a static file or a stored page arrives here, in production and in development alike. */
export default {
  fetch: (request: Request): Promise<Response> => respond(request, (prepared, context) => handler.fetch(prepared, { context })),
}
