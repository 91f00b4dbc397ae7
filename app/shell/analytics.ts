import { AnalyticsBrowser, type MiddlewareFunction } from '@segment/analytics-next'
import type { PublicConfig } from '#app/features/libraries/libraries.schema.ts'
import { toRegionCode } from '#app/lib/region-code.ts'
import type { AnalyticsEvent, AnalyticsEvents } from './analytics-events.ts'
import { isLivePreview } from './live-preview.ts'
import type { CurrentSite, CurrentUser } from './page-state.schema.ts'

/** All code for Segment: loaded lazily, and only if analytics is enabled. */

type Segment = NonNullable<PublicConfig['segment']>

let started: AnalyticsBrowser | undefined

/** Starts once per page load and identifies the user and the site. */
export function startAnalytics(segment: Segment, user: CurrentUser | null, site: CurrentSite): void {
  if (started) return
  const analytics = AnalyticsBrowser.load(
    { writeKey: segment.writeKey, ...buildCdnOptions(segment) },
    { initialPageview: false, integrations: buildIntegrations(segment) },
  )
  started = analytics
  void analytics.addSourceMiddleware(removeSecrets)
  void (user ? analytics.identify(user.id, { roleName: user.roleName, type: user.type }) : forgetUser(analytics))
  void analytics.group(buildGroupId(site), { name: site.name, region: site.region })
  for (const type of ['submit', 'click'] as const) document.addEventListener(type, trackMarkedElement, { capture: true })
}

/** Addresses are cut after the path: the rest may hold a secret link's token. */
const removeSecrets: MiddlewareFunction = ({ payload, next }) => {
  const { context, properties } = payload.obj
  for (const page of [context?.page, properties] as (Record<string, unknown> | undefined)[]) {
    if (!page) continue
    for (const name of ['url', 'referrer']) {
      const address = page[name]
      if (typeof address === 'string') page[name] = address.replace(/[?#].*$/s, '')
    }
    if ('search' in page) page['search'] = ''
  }
  next(payload)
}

export const trackPage = (path: string, title: string): void => void started?.page({ path, title })

export function trackEvent<E extends AnalyticsEvent>(event: E, properties: AnalyticsEvents[E]): void {
  if (!isLivePreview(window.location.pathname)) void started?.track(event, properties)
}

/** Sites are grouped by region code and id. */
export const buildGroupId = ({ region, id }: Pick<CurrentSite, 'region' | 'id'>): string => `${toRegionCode(region)}-${id}`

/** Forms are tracked on submit, links on click: see `toTrackingAttributes`. */
function trackMarkedElement(happened: Event): void {
  const from = happened.target instanceof Element ? happened.target.closest<HTMLElement>('[data-track]') : null
  if (!from || from instanceof HTMLFormElement !== (happened.type === 'submit')) return
  trackEvent(
    from.dataset['track'] as AnalyticsEvent,
    JSON.parse(from.dataset['trackProperties'] ?? '{}') as AnalyticsEvents[AnalyticsEvent],
  )
}

async function forgetUser(analytics: AnalyticsBrowser): Promise<void> {
  const known = await analytics.user()
  if (known.id()) await analytics.reset()
}

const buildCdnOptions = ({ endpoint }: Segment) => (endpoint ? { cdnURL: endpoint.replace(/\/$/, '') } : {})

/** Keep-alive delivers events even if a form or link leaves the page. */
function buildIntegrations({ endpoint, apiHost }: Segment) {
  const own = endpoint ?? (apiHost && `https://${apiHost}`)
  const { host: at, protocol } = own ? new URL(own) : {}
  const host = at ? { apiHost: `${at}/v1`, protocol: protocol === 'http:' ? ('http' as const) : ('https' as const) } : {}
  return { 'Segment.io': { ...host, deliveryStrategy: { config: { keepalive: true } } } }
}
