import { createFileRoute } from '@tanstack/react-router'
import { DatasetEditor } from '#app/features/opencities/admin/DatasetEditor.tsx'
import { datasetQuery, projectChoicesQuery } from '#app/features/opencities/connectors.queries.ts'

export const Route = createFileRoute('/admin/city-data/datasets/$id')({
  loader: ({ context, params }) =>
    Promise.all([context.queryClient.ensureQueryData(datasetQuery(params.id)), context.queryClient.ensureQueryData(projectChoicesQuery)]),
  component: OneDataset,
})

function OneDataset() {
  const { id } = Route.useParams()
  return <DatasetEditor key={id} id={id} />
}
