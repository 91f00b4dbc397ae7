import { createFileRoute } from '@tanstack/react-router'
import { AppError } from '#app/lib/app-error.ts'

/** Not found: every address that no other route matches. */
export const Route = createFileRoute('/_site/$')({
  loader: () => {
    throw new AppError('not-found')
  },
})
