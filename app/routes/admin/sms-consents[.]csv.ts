import { createFileRoute } from '@tanstack/react-router'
import { serveConsents } from '#app/features/sms/consents.server.ts'

/** Who agreed to texts, and to which words, as a file. */
export const Route = createFileRoute('/admin/sms-consents.csv')({ server: { handlers: { GET: serveConsents } } })
