import { createCsrfMiddleware, createStart } from '@tanstack/react-start'
import { answerOutage } from './shell/answer-outage.ts'
import { appErrorAdapter } from './shell/app-error-adapter.ts'
import { sendPageLanguage } from './shell/send-page-language.ts'
import { mapErrors } from './shell/map-errors.ts'
import { refuseCalls } from './shell/refuse-calls.ts'

/**
 * Server functions and forms authenticate by cookie, so both must come from this very site. Exempt are the API, which never reads the
 * cookie; a mail program's one-click unsubscribe (RFC 8058), whose address identifies it; and webhooks, which are signed.
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
