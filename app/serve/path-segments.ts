import { LANGUAGES } from '../lib/languages.ts'
import type { Registry } from '../server/api/create-registry.ts'

/** Path segments of pages and files that are the same on every site. A test compares them with the routes. */
const PAGE_SEGMENTS = `
  _serverFn account addresses admin administrators answer-files answers api ballots budgets check appeals appearance area assets audit audit.csv campaigns catalog.jsonld contributions contributions.csv contributions.geojson contributions.json
  app check-mail city-data confirm confirm-email cookies data data.json datasets delete deleted devices documents download email embed embeds
  export exports features feed.atom first-admin follow follows forgot-password groups health healthz help home homepage hooks hubs
  import import-report import-report.csv import.json layers live-preview locales mail mail-consents.csv marketplace media messages moderation moderation-log.csv moderation-log.xlsx new newsletters og open-answers
  open-data open-data.atom openapi.json operations outbox pages paper passkey password people people.csv phone photos privacy privacy.csv profile projects readyz receipt register
  relationships reply report reports reports.xlsx reset-password responses responses.csv results results.csv results.json robots.txt search settings sign-in sign-out sitemap.xml
  sites sms sms-consents.csv sms-sandbox support surveys table two-step unfollow unusual updates uploads v2
  eligibility verify rules waiting
  .well-known security.txt
  callback failed keys.json languages languages.xliff languages.xlsx metadata.xml requested saml sign-in-methods staff uk-gdpr quebec-law-25
`

/** @returns whether a path segment is one of our names rather than something a client made up */
export function createSegmentCheck(apiResources: Registry): (part: string) => boolean {
  const knownSegments = new Set([
    ...LANGUAGES,
    ...PAGE_SEGMENTS.trim().split(/\s+/),
    ...apiResources.resources.flatMap(({ shape }) => [shape.type, ...Object.keys(shape.relationships)]),
  ])
  return (part) => knownSegments.has(part)
}
