import { StartClient } from '@tanstack/react-start/client'
import { startTransition, StrictMode } from 'react'
import { hydrateRoot } from 'react-dom/client'
import { isAppError } from './lib/app-error.ts'

/** Hydrates the page. An answer such as "not found" has its own page and is not logged to the console as a defect. */
startTransition(() => {
  hydrateRoot(
    document,
    <StrictMode>
      <StartClient />
    </StrictMode>,
    {
      onCaughtError: (error) => {
        // oxlint-disable-next-line no-console -- React logs caught errors by default, and developers look for them
        if (!isAppError(error) || error.status >= 500) console.error(error)
      },
    },
  )
})
