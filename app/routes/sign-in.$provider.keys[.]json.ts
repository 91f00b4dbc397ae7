import { createFileRoute } from '@tanstack/react-router'
import { serveProviderKeys } from '#app/features/identity/identity.forms.server.ts'

/** Public keys, for a provider to check what the site signs. */
export const Route = createFileRoute('/sign-in/$provider/keys.json')({ server: { handlers: { GET: serveProviderKeys } } })
