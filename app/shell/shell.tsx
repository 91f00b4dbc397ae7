import { Outlet } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { SkipLink } from '#app/ui/page.tsx'
import { ConsentBanner } from './consent-banner.tsx'
import { useOnLoad } from './use-on-load.ts'
import { RouteProgress } from './route-progress.tsx'
import { ThirdParties } from './third-parties.tsx'

/** Wraps every page of the product. */
export function Shell() {
  const { t } = useTranslation()
  useOnLoad()
  return (
    <>
      <SkipLink>{t('skip-to-content')}</SkipLink>
      <ConsentBanner />
      <Outlet />
      <RouteProgress />
      <ThirdParties />
    </>
  )
}
