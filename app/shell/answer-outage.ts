import { createMiddleware } from '@tanstack/react-start'
import { isDatabaseDown } from '#app/server/db/database-down.ts'

/** A route that cannot reach its database is unavailable, not broken. */
export const answerOutage = createMiddleware({ type: 'request' }).server(async ({ next }) => {
  try {
    return await next()
  } catch (error) {
    if (!isDatabaseDown(error)) throw error
    return new Response(null, { status: 503 })
  }
})
