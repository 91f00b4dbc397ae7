import { createFileRoute } from '@tanstack/react-router'
import { serveDecisionLog } from '#app/features/contributions/moderation/decision-log.server.ts'

export const Route = createFileRoute('/admin/moderation-log.csv')({ server: { handlers: { GET: serveDecisionLog('csv') } } })
