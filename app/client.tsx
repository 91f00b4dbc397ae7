import { StartClient } from '@tanstack/react-start/client'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { isAppError } from './lib/app-error.ts'

/** Brings the page to life. An answer such as "not found" has a page of its own and is no defect to be reported in the console. */
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <StartClient />
    </StrictMode>,
    {
      onCaughtError: (error) => {
        // oxlint-disable-next-line no-console -- what React does with what it catches, and developers look for
        if (!isAppError(error) || error.status >= 500) console.error(error)
      },
    },
  )
})
