import type { QueryClient } from '@tanstack/react-query'
import { currentUserQuery } from './page-state.queries.ts'

/** Shows a preview as another kind of reader would see it, never as its signed-in editor. */
export function setPreviewViewer(queryClient: QueryClient, reader: 'visitor' | 'participant' | 'member'): void {
  const user =
    reader === 'visitor'
      ? null
      : {
          id: '00000000-0000-7000-8000-000000000000',
          email: 'participant@example.org',
          login: 'Alex Doe',
          roleName: 'participant' as const,
          type: 'participant' as const,
          lastSeenAt: null,
        }
  queryClient.setQueryData(currentUserQuery.queryKey, { user })
}
