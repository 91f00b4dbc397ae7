import { createFileRoute } from '@tanstack/react-router'
import { handleBackChannelLogout } from '#app/features/identity/back-channel-logout.server.ts'

/** A provider tells that somebody signed out there. Authenticated by the token's signature. */
export const Route = createFileRoute('/hooks/sign-in/$provider')({ server: { handlers: { POST: handleBackChannelLogout } } })
