import { lazy, Suspense, useEffect } from 'react'
import { useHydrated } from '#app/ui/use-hydrated.ts'
import { canLoadThirdParties, readConsent } from './consent.ts'
import { usePageState } from './page-state.tsx'
import { useServices } from './use-services.ts'

const Services = lazy(() => import('./third-party-services.tsx'))

/** Starts configured third-party services, after consent if the site requires it. */
export function ThirdParties() {
  const { consentRequired } = usePageState().siteSettings
  const services = useServices()
  const consent = useStoredConsent()
  useEffect(() => {
    if (consentRequired && consent === 'denied') void forgetLazily()
  }, [consentRequired, consent])
  if (services.length === 0 || consent === undefined || !canLoadThirdParties(consentRequired, consent)) return null
  return (
    <Suspense>
      <Services />
    </Suspense>
  )
}

/** The cookie itself decides, whichever stored copy of the page was served; undefined until scripts run. */
const useStoredConsent = () => (useHydrated() ? readConsent(document.cookie, window.location.protocol === 'https:') : undefined)

async function forgetLazily(): Promise<void> {
  const { forgetThirdParties } = await import('./forget-third-parties.ts')
  forgetThirdParties()
}
