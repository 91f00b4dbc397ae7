import { createFileRoute } from '@tanstack/react-router'
import { AppError } from '#app/lib/app-error.ts'

/** Every address that nothing else answers. */
export const Route = createFileRoute('/_site/$')({
  loader: () => {
    throw new AppError('not-found')
  },
})
