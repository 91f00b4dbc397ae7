import { createFileRoute } from '@tanstack/react-router'
import { handleSmsHook } from '#app/features/sms/receive-messages.server.ts'

/** Where a service tells what became of texts, and what people answer. Its signature says who it is. */
export const Route = createFileRoute('/hooks/sms/$installation')({ server: { handlers: { POST: handleSmsHook } } })
