import { CONTENT_LANGUAGES } from '../lib/languages.ts'
import type { Registry } from '../server/api/create-registry.ts'

/** Path segments of pages and files that are the same on every site. A test compares them with the routes. */
const PAGE_SEGMENTS = `
  .well-known _serverFn about-you account addresses admin administrators answer-files answer-sets answers api app appeals appearance area assets
  attendance.csv audit audit.csv ballots budgets calendar calendar.ics callback campaigns catalog.jsonld check check-mail city-data codes.qdc
  codes.xlsx confirm confirm-email contributions contributions.csv contributions.geojson contributions.json cookies data data.json datasets
  dates.ics decisions delete deleted devices documents download duties eligibility email embed embeds events export exports failed features
  feed.atom first-admin follow follows forgot-password groups health healthz heard help home homepage hooks hubs import import-report
  import-report.csv import.json keys.json l languages languages.xliff languages.xlsx layers ledger ledger.jsonl live-preview locales mail
  mail-consents.csv marketplace media messages metadata.xml moderation moderation-log.csv moderation-log.xlsx new newsletters og open-answers
  open-data open-data.atom openapi.json operations outbox pages paper passkey password people people.csv phone photos populations privacy
  privacy.csv profile projects quebec-law-25 questions reach reach.xlsx read readyz reason receipt register relationships reply report
  report-files reports reports.xlsx requested reset-password responses responses.csv results results.csv results.json robots.txt rules saml
  search security.txt settings shared-report sign-in sign-in-methods sign-out sitemap.xml sites sms sms-consents.csv sms-sandbox staff support
  surveys table two-step uk-gdpr unfollow unusual updates uploads v2 verify waiting
`

/** @returns whether a path segment is one of our names rather than something a client made up */
export function createSegmentCheck(apiResources: Registry): (part: string) => boolean {
  const knownSegments = new Set([
    ...CONTENT_LANGUAGES,
    ...PAGE_SEGMENTS.trim().split(/\s+/),
    ...apiResources.resources.flatMap(({ shape }) => [shape.type, ...Object.keys(shape.relationships)]),
  ])
  return (part) => knownSegments.has(part)
}
