import { createFileRoute } from '@tanstack/react-router'
import { PlatformSwitches } from '#app/features/feature-switches/admin/PlatformSwitches.tsx'
import { platformSwitchesQuery } from '#app/features/feature-switches/switches-admin.queries.ts'

export const Route = createFileRoute('/admin/features/')({
  staticData: { namespaces: ['switches'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(platformSwitchesQuery),
  component: PlatformSwitches,
})
