import { createFileRoute } from '@tanstack/react-router'
import { sitemapFile } from '#app/features/sites/files.server.ts'

export const Route = createFileRoute('/sitemap.xml')({ server: { handlers: { GET: sitemapFile } } })
