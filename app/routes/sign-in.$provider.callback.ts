import { createFileRoute } from '@tanstack/react-router'
import { serveProviderCallback } from '#app/features/identity/identity.forms.server.ts'

/** Where a provider sends people back to. */
export const Route = createFileRoute('/sign-in/$provider/callback')({ server: { handlers: { GET: serveProviderCallback } } })
