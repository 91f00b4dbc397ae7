import { createFileRoute } from '@tanstack/react-router'
import { robotsFile } from '#app/features/sites/files.server.ts'

export const Route = createFileRoute('/robots.txt')({ server: { handlers: { GET: robotsFile } } })
