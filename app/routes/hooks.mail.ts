import { createFileRoute } from '@tanstack/react-router'
import { receiveMailReport } from '#app/features/marketplace/mail-reports.server.ts'

/** Where mail servers post mails that came back. A token says who they are. */
export const Route = createFileRoute('/hooks/mail')({ server: { handlers: { POST: receiveMailReport } } })
