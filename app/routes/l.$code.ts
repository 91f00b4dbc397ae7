import { createFileRoute } from '@tanstack/react-router'
import { followLink } from '#app/features/campaigns/links/follow-link.server.ts'

/** The short address of a link in a newsletter or text message. */
export const Route = createFileRoute('/l/$code')({ server: { handlers: { GET: followLink, HEAD: followLink } } })
