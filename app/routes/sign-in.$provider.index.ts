import { createFileRoute } from '@tanstack/react-router'
import { serveProviderStart } from '#app/features/identity/identity.forms.server.ts'

/** Leads to a provider of accounts elsewhere. */
export const Route = createFileRoute('/sign-in/$provider/')({ server: { handlers: { GET: serveProviderStart } } })
