import { createFileRoute } from '@tanstack/react-router'
import { PlatformSwitches } from '#app/features/features/admin/PlatformSwitches.tsx'
import { platformSwitchesQuery } from '#app/features/features/features.queries.ts'

export const Route = createFileRoute('/admin/features/')({
  staticData: { namespaces: ['switches'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(platformSwitchesQuery),
  component: PlatformSwitches,
})
