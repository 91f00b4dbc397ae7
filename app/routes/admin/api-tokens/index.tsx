import { createFileRoute } from '@tanstack/react-router'
import { ApiTokensPage } from '#app/features/api-tokens/admin/ApiTokensPage.tsx'
import { apiTokensQuery } from '#app/features/api-tokens/api-tokens.queries.ts'

export const Route = createFileRoute('/admin/api-tokens/')({
  staticData: { namespaces: ['api'] },
  loader: ({ context }) => context.queryClient.ensureQueryData(apiTokensQuery),
  component: ApiTokensPage,
})
