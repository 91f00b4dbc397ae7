import { createFileRoute } from '@tanstack/react-router'
import { uploadTranslations } from '#app/features/translations/exchange.server.ts'

/** Takes in a file of translations. */
export const Route = createFileRoute('/admin/languages/import.json')({ server: { handlers: { POST: uploadTranslations } } })
