import { createCsrfMiddleware, createStart } from '@tanstack/react-start'
import { appErrorAdapter } from './shell/app-error-adapter.ts'
import { callLanguage } from './shell/call-language.ts'
import { mapErrors } from './shell/map-errors.ts'

/**
 * Server functions and forms act with the cookie, so both are checked to come from this very site. The API never reads it, and a mail
 * program that stops a project's mails (RFC 8058) has none: the address it posts to says who. Services that tell of texts sign what they say.
 */
const csrf = createCsrfMiddleware({
  filter: ({ handlerType, request, pathname }) =>
    handlerType === 'serverFn' ||
    (request.method !== 'GET' &&
      request.method !== 'HEAD' &&
      !pathname.startsWith('/api/') &&
      !pathname.startsWith('/hooks/') &&
      !/\/unfollow\/?$/.test(pathname)),
})

export const startInstance = createStart(() => ({
  serializationAdapters: [appErrorAdapter],
  requestMiddleware: [csrf],
  functionMiddleware: [callLanguage, mapErrors],
}))
