import { createFileRoute } from '@tanstack/react-router'
import { EmbedSettings } from '#app/features/embeds/admin/EmbedSettings.tsx'
import { embedSettingsQuery } from '#app/features/embeds/embeds.queries.ts'

export const Route = createFileRoute('/admin/embeds/')({
  staticData: { namespaces: ['embeds'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(embedSettingsQuery),
  component: EmbedSettings,
})
