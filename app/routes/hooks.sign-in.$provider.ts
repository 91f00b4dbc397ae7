import { createFileRoute } from '@tanstack/react-router'
import { handleBackChannelLogout } from '#app/features/identity/back-channel-logout.server.ts'
import { serveFrontChannelLogout } from '#app/features/identity/front-channel-logout.server.ts'

/** A provider tells that somebody signed out there: by itself with a signed token, or by a frame on its own page. */
export const Route = createFileRoute('/hooks/sign-in/$provider')({
  server: { handlers: { GET: serveFrontChannelLogout, POST: handleBackChannelLogout } },
})
