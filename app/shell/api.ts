import { createIsomorphicFn, getGlobalStartContext } from '@tanstack/react-start'
import { getCookie } from '@tanstack/react-start/server'
import { API_ENDPOINT_ATTRIBUTE } from '#app/lib/api-token.ts'
import { createApi } from '#app/lib/api-client/client.ts'
import { keepToken, findToken, type TokenPlaces } from '#app/lib/api-client/token.ts'
import { createTransport, type Transport } from '#app/lib/api-client/transport.ts'
import { readPageLanguage } from './page-language.ts'

/**
 * The API client of all pages. In the browser it fetches from the page's own host, or from the configured endpoint, with the token from the
 * body's attribute or session storage; on the server it calls the API's handler in process, as the request's viewer.
 */
export const api = createApi((request) => createPageTransport()(request))

const createPageTransport = createIsomorphicFn()
  .server((): Transport => {
    const context = getGlobalStartContext()
    if (!context) throw new Error('The API client was called outside a request')
    const { handleApi } = context
    const { site, viewer, contentLanguage, address, requestId, runtime, sharedRendering, db } = context.ctx
    // The API would look for the holder of a token that is only a placeholder.
    sharedRendering?.markPersonal()
    const endpoint = runtime.env.API_ENDPOINT
    return createTransport({
      origin: endpoint ?? `http://${site.host}`,
      token: () => (viewer.kind === 'user' ? getCookie('token') : undefined),
      language: () => contentLanguage,
      ...(endpoint ? {} : { send: (request) => handleApi(request, runtime, { address, requestId, db }) }),
    })
  })
  .client((): Transport =>
    createTransport({
      origin: document.body.getAttribute(API_ENDPOINT_ATTRIBUTE) ?? window.location.origin,
      token: () => findToken(getTokenPlaces()),
      onDeadToken: () => keepToken(getTokenPlaces(), undefined),
      language: readPageLanguage,
    }),
  )

const getTokenPlaces = (): TokenPlaces => ({ body: document.body, storage: () => window.sessionStorage })
