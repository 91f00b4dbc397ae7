import { createFileRoute } from '@tanstack/react-router'
import { serveRobots } from '#app/features/sites/search-engine-files.server.ts'

export const Route = createFileRoute('/robots.txt')({ server: { handlers: { GET: serveRobots } } })
