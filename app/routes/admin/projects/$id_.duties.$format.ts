import { createFileRoute } from '@tanstack/react-router'
import { serveDutyFile } from '#app/features/consultation-duties/duty-file.server.ts'

/** A project’s duty file in the format named by the address. */
export const Route = createFileRoute('/admin/projects/$id_/duties/$format')({ server: { handlers: { GET: serveDutyFile } } })
