import { lazy, Suspense, useEffect } from 'react'
import { useHydrated } from '#app/ui/hydrated.ts'
import { mayLoadThirdParties, readConsent } from './consent.ts'
import { usePageState } from './page-state.tsx'
import { useServices } from './services.ts'

const Services = lazy(() => import('./third-party-services.tsx'))

/** Lets other companies' services start where one is configured, after consent where the site asks for it. */
export function ThirdParties() {
  const { consentRequired } = usePageState().siteSettings
  const services = useServices()
  const consent = useKeptConsent()
  useEffect(() => {
    if (consentRequired && consent === 'denied') void forget()
  }, [consentRequired, consent])
  if (services.length === 0 || consent === undefined || !mayLoadThirdParties(consentRequired, consent)) return null
  return (
    <Suspense>
      <Services />
    </Suspense>
  )
}

/** The cookie itself decides, whatever copy of the page came; undefined until scripts run. */
const useKeptConsent = () => (useHydrated() ? readConsent(document.cookie) : undefined)

async function forget(): Promise<void> {
  const { forgetThirdParties } = await import('./forget-third-parties.ts')
  forgetThirdParties()
}
