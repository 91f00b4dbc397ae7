import { createFileRoute } from '@tanstack/react-router'
import { exportMailConsents } from '#app/features/accounts/mail-consents.server.ts'

/** Who agreed to news by mail, and to which wording. */
export const Route = createFileRoute('/admin/mail-consents.csv')({ server: { handlers: { GET: exportMailConsents } } })
