import { createFileRoute } from '@tanstack/react-router'
import { serveTextsWorkbook } from '#app/features/translations/exchange.server.ts'

export const Route = createFileRoute('/admin/languages.xlsx')({ server: { handlers: { GET: serveTextsWorkbook } } })
