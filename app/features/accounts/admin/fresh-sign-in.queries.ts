import { queryOptions } from '@tanstack/react-query'
import { readConfirmation } from '../second-step/second-step.functions.ts'

/** What the viewer confirms with that it is them: asked each time, as it may have been turned on meanwhile. */
export const confirmationQuery = queryOptions({ queryKey: ['fresh-sign-in'], queryFn: () => readConfirmation(), staleTime: 0 })
