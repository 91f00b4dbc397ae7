import { createId } from '#app/lib/uuid.ts'
import { implementResource } from '#app/server/api/implement.ts'
import { issueBrowserToken, type NewBrowserToken } from '#app/server/auth/browser-token.ts'
import { browserTokenShape } from './browser-tokens.api.schema.ts'

export const browserTokenResource = implementResource(browserTokenShape, {
  attributes: ({ token }: { id: string; token: NewBrowserToken }) => ({ token }),
  creators: 'anyone',
  create: async (ctx) => ({ id: createId(), token: await issueBrowserToken(ctx) }),
})
