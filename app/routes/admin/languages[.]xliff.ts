import { createFileRoute } from '@tanstack/react-router'
import { serveTextsXliff } from '#app/features/translations/exchange.server.ts'

export const Route = createFileRoute('/admin/languages.xliff')({ server: { handlers: { GET: serveTextsXliff } } })
