import { createFileRoute } from '@tanstack/react-router'
import { serveAttendanceList } from '#app/features/events/managing/attendance-list.server.ts'

export const Route = createFileRoute('/admin/projects/$id_/events/$event/attendance.csv')({
  server: { handlers: { GET: serveAttendanceList } },
})
