import { createFileRoute } from '@tanstack/react-router'
import { PlatformSwitches } from '#app/features/features/admin/PlatformSwitches.tsx'
import { platformSwitchesQuery } from '#app/features/features/switches.queries.ts'

export const Route = createFileRoute('/admin/features/')({
  staticData: { namespaces: ['switches'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(platformSwitchesQuery),
  component: PlatformSwitches,
})
