import { createFileRoute } from '@tanstack/react-router'
import { smsHook } from '#app/features/sms/receive.server.ts'

/** Where a service tells what became of texts, and what people answer. Its signature says who it is. */
export const Route = createFileRoute('/hooks/sms/$installation')({ server: { handlers: { POST: smsHook } } })
