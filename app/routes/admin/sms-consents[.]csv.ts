import { createFileRoute } from '@tanstack/react-router'
import { serveConsents } from '#app/features/sms/consents.server.ts'

/** Who agreed to text messages, and to which wording. */
export const Route = createFileRoute('/admin/sms-consents.csv')({ server: { handlers: { GET: serveConsents } } })
