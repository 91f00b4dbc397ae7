import { type Service } from '#app/lib/device-storage.ts'
import { ROLES } from '#app/lib/roles.ts'
import { usePageState } from './page-state.tsx'

/** Services of other companies that pages of the site start: what is neither configured nor switched on is not among them. */
export function useServices(): Service[] {
  const { publicConfig, features, librariesDetails } = usePageState()
  const { segment_analytics_admin: admin, segment_analytics_participant: participant } = features.features
  const services: Service[] = []
  if (publicConfig.segment && (admin.enabled || participant.enabled)) services.push('segment')
  if (publicConfig.sentry) services.push('sentry')
  if (librariesDetails.intercom) services.push('intercom')
  return services
}

/** Whether there is anything to ask this person: the site asks, and uses something that would run for them. The chat is for administrators. */
export function useAsksConsent(): boolean {
  const { siteSettings, currentUser } = usePageState()
  const services = useServices()
  const isAdministrator = ROLES.some((role) => role === currentUser.user?.roleName)
  return siteSettings.consentRequired && services.some((service) => service !== 'intercom' || isAdministrator)
}
