import { createFileRoute } from '@tanstack/react-router'
import { receiveMailReport } from '#app/features/marketplace/mail-reports.server.ts'

/** Webhook for mail servers to post returned mails. Authenticated by a token. */
export const Route = createFileRoute('/hooks/mail')({ server: { handlers: { POST: receiveMailReport } } })
