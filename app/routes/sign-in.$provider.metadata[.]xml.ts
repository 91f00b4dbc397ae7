import { createFileRoute } from '@tanstack/react-router'
import { serveSamlMetadata } from '#app/features/identity/saml/receive-assertion.server.ts'

/** What a SAML provider has to know of this site. */
export const Route = createFileRoute('/sign-in/$provider/metadata.xml')({ server: { handlers: { GET: serveSamlMetadata } } })
