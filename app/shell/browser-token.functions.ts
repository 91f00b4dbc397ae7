import { createServerFn } from '@tanstack/react-start'
import { setResponseHeader } from '@tanstack/react-start/server'
import { noInput } from '#app/lib/validate.ts'
import { giveBrowserToken, readBrowserToken } from '#app/server/auth/browser-token.ts'

/** Gives the browser its token, unless it has one or somebody is signed in. */
export const ensureBrowserToken = createServerFn({ method: 'POST' })
  .validator(noInput)
  .handler(async ({ context: { ctx } }) => {
    setResponseHeader('cache-control', 'private, no-store')
    if (ctx.viewer.kind !== 'user' && !readBrowserToken(ctx)) await giveBrowserToken(ctx)
  })
