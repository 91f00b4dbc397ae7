import { createFileRoute } from '@tanstack/react-router'
import { handleSmsHook } from '#app/features/sms/receive-messages.server.ts'

/** Webhook for an SMS service: delivery reports and incoming texts. Authenticated by its signature. */
export const Route = createFileRoute('/hooks/sms/$installation')({ server: { handlers: { POST: handleSmsHook } } })
