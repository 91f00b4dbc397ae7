import { createFileRoute } from '@tanstack/react-router'
import { SiteSwitches } from '#app/features/features/admin/SiteSwitches.tsx'
import { platformSwitchesQuery, siteSwitchesQuery } from '#app/features/features/switches.queries.ts'
import { SWITCHED } from '#app/features/features/features.schema.ts'
import { AppError } from '#app/lib/app-error.ts'
import { readPage } from '#app/lib/search-params.ts'

export const Route = createFileRoute('/admin/features/$name')({
  staticData: { namespaces: ['switches'] },
  validateSearch: readPage,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => {
    const feature = SWITCHED.find((name) => name === params.name)
    if (!feature) throw new AppError('not-found')
    await Promise.all([
      context.queryClient.ensureQueryData(platformSwitchesQuery),
      context.queryClient.ensureQueryData(siteSwitchesQuery(feature, deps.page ?? 1)),
    ])
    return feature
  },
  component: OneFeature,
})

function OneFeature() {
  const { page = 1 } = Route.useSearch()
  return <SiteSwitches feature={Route.useLoaderData()} page={page} />
}
