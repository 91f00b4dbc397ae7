import { createFileRoute } from '@tanstack/react-router'
import { receiveAssertion } from '#app/features/identity/saml/receive-assertion.server.ts'

/** Where a provider sends its SAML answer through the browser. Authenticated by the assertion's signature. */
export const Route = createFileRoute('/hooks/saml/$provider')({ server: { handlers: { POST: receiveAssertion } } })
