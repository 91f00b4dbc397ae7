import { Outlet } from '@tanstack/react-router'
import { ConsentBanner } from './consent-banner.tsx'
import { useOnLoad } from './on-load.ts'
import { RouteProgress } from './route-progress.tsx'
import { ThirdParties } from './third-parties.tsx'

/** What stands around every page of every part of the product. */
export function Shell() {
  useOnLoad()
  return (
    <>
      <ConsentBanner />
      <Outlet />
      <RouteProgress />
      <ThirdParties />
    </>
  )
}
