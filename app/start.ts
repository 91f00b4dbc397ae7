import { createCsrfMiddleware, createStart } from '@tanstack/react-start'
import { answerOutage } from './shell/answer-outage.ts'
import { appErrorAdapter } from './shell/app-error-adapter.ts'
import { sendPageLanguage } from './shell/send-page-language.ts'
import { mapErrors } from './shell/map-errors.ts'
import { refuseCalls } from './shell/refuse-calls.ts'

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
  requestMiddleware: [csrf, answerOutage, refuseCalls],
  functionMiddleware: [sendPageLanguage, mapErrors],
}))
