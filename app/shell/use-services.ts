import { type Service } from '#app/lib/device-storage.ts'
import { ROLES } from '#app/lib/roles.ts'
import { usePageState } from './page-state.tsx'

/** Third-party services that the site's pages use: configured and switched on. */
export function useServices(): Service[] {
  const { publicConfig, features, librariesDetails } = usePageState()
  const { segment_analytics_admin: admin, segment_analytics_participant: participant } = features.features
  const services: Service[] = []
  if (publicConfig.segment && (admin.enabled || participant.enabled)) services.push('segment')
  if (publicConfig.sentry) services.push('sentry')
  if (librariesDetails.intercom) services.push('intercom')
  return services
}

/** True if the site requires consent and uses a service that would run for this person. The chat is only for administrators. */
export function useAsksConsent(): boolean {
  const { siteSettings, currentUser } = usePageState()
  const services = useServices()
  const isAdministrator = ROLES.some((role) => role === currentUser.user?.roleName)
  return siteSettings.consentRequired && services.some((service) => service !== 'intercom' || isAdministrator)
}
