import { createFileRoute } from '@tanstack/react-router'
import { SiteSwitches } from '#app/features/feature-switches/admin/SiteSwitches.tsx'
import { platformSwitchesQuery, readSwitchesSearch, siteSwitchesQuery } from '#app/features/feature-switches/switches-admin.queries.ts'
import { SWITCHABLE_FEATURES } from '#app/features/feature-switches/feature-switches.schema.ts'
import { AppError } from '#app/lib/app-error.ts'

export const Route = createFileRoute('/admin/features/$name')({
  staticData: { namespaces: ['switches'] },
  validateSearch: readSwitchesSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ context, params, deps }) => {
    const feature = SWITCHABLE_FEATURES.find((name) => name === params.name)
    if (!feature) throw new AppError('not-found')
    await Promise.all([
      context.queryClient.ensureQueryData(platformSwitchesQuery),
      context.queryClient.ensureQueryData(siteSwitchesQuery(feature, deps)),
    ])
    return feature
  },
  component: OneFeature,
})

function OneFeature() {
  return <SiteSwitches feature={Route.useLoaderData()} search={Route.useSearch()} />
}
