import { createFileRoute } from '@tanstack/react-router'
import { serveSitemap } from '#app/features/sites/search-engine-files.server.ts'

export const Route = createFileRoute('/sitemap.xml')({ server: { handlers: { GET: serveSitemap } } })
