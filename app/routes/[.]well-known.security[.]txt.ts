import { createFileRoute } from '@tanstack/react-router'
import { serveSecurityTxt } from '#app/features/sites/security-txt.server.ts'

export const Route = createFileRoute('/.well-known/security.txt')({ server: { handlers: { GET: serveSecurityTxt } } })
