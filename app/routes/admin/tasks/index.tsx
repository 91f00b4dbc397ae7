import { createFileRoute } from '@tanstack/react-router'
import { TasksPage } from '#app/features/teamwork/admin/TasksPage.tsx'
import { readTaskSearch } from '#app/features/teamwork/tasks/task-search.ts'
import { tasksQuery } from '#app/features/teamwork/teamwork.queries.ts'

export const Route = createFileRoute('/admin/tasks/')({
  staticData: { namespaces: ['teamwork'] },
  validateSearch: readTaskSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ context: { queryClient }, deps }) => queryClient.ensureQueryData(tasksQuery(deps)),
  component: Tasks,
})

function Tasks() {
  return <TasksPage search={Route.useSearch()} />
}
