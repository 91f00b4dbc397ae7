import { handleApi } from '#app/root/api-handler.ts'
import type { Ctx } from '#app/server/context.ts'
import type { RequestContext } from '#app/server/request-context.ts'

/** The context of a route handler, for a request without a form. */
export const requestContext = (ctx: Ctx): RequestContext => ({ ctx, handleApi, nonce: undefined, form: undefined })
