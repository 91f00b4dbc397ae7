import { createIsomorphicFn } from '@tanstack/react-start'
import type { SiteFrame } from './sites.schema.ts'

export type JsonLd = { '@type': string | string[]; [property: string]: unknown }

/**
 * Structured data is for machines, which read the server's HTML: in the browser these functions return nothing, and their code is not
 * shipped.
 */
const NO_DATA: JsonLd = { '@type': [] }

/** JSON for a script element: `<`, `>` and `&` in texts can neither close it nor open another, and line separators cannot break it. */
export const toJsonLd = (graph: readonly JsonLd[]): string =>
  JSON.stringify({ '@context': 'https://schema.org', '@graph': graph }).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )

const buildOrganizationId = (frame: SiteFrame) => `${frame.origin}/#organization`

export const buildOrganization = (frame: SiteFrame): JsonLd => ({
  '@type': 'GovernmentOrganization',
  '@id': buildOrganizationId(frame),
  name: frame.name,
  url: `${frame.origin}/`,
  ...(frame.contactEmail ? { email: frame.contactEmail } : {}),
})

export const buildWebsite = createIsomorphicFn()
  .server((frame: SiteFrame): JsonLd => ({
    '@type': 'WebSite',
    name: frame.name,
    url: `${frame.origin}/`,
    inLanguage: frame.languages,
    publisher: { '@id': buildOrganizationId(frame) },
    potentialAction: {
      '@type': 'SearchAction',
      target: { '@type': 'EntryPoint', urlTemplate: `${frame.origin}/search?q={search_term_string}` },
      'query-input': 'required name=search_term_string',
    },
  }))
  .client(() => NO_DATA)

export const buildBreadcrumbs = (steps: readonly { name: string; url: string }[]): JsonLd => ({
  '@type': 'BreadcrumbList',
  itemListElement: steps.map(({ name, url }, at) => ({ '@type': 'ListItem', position: at + 1, name, item: url })),
})

/** A consultation as an event with a start and an end, hosted by the organisation. */
export const buildConsultation = createIsomorphicFn()
  .server(
    (
      frame: SiteFrame,
      project: {
        name: string
        description: string
        url: string
        opensAt: string | null
        closesAt: string | null
        place: string
        picture: string | null
      },
    ): JsonLd => ({
      '@type': 'Event',
      name: project.name,
      description: project.description,
      url: project.url,
      inLanguage: frame.language,
      isAccessibleForFree: true,
      eventStatus: 'https://schema.org/EventScheduled',
      eventAttendanceMode: 'https://schema.org/OnlineEventAttendanceMode',
      ...(project.opensAt ? { startDate: project.opensAt } : {}),
      ...(project.closesAt ? { endDate: project.closesAt } : {}),
      location: { '@type': 'VirtualLocation', url: project.url },
      ...(project.place ? { about: { '@type': 'Place', address: project.place } } : {}),
      ...(project.picture ? { image: `${frame.origin}${project.picture}` } : {}),
      organizer: { '@id': buildOrganizationId(frame) },
    }),
  )
  .client(() => NO_DATA)

export const buildArticle = createIsomorphicFn()
  .server((frame: SiteFrame, update: { headline: string; url: string; publishedAt: string; image: string }): JsonLd => ({
    '@type': 'NewsArticle',
    headline: update.headline,
    url: update.url,
    datePublished: update.publishedAt,
    inLanguage: frame.language,
    image: update.image,
    author: { '@id': buildOrganizationId(frame) },
    publisher: { '@id': buildOrganizationId(frame) },
  }))
  .client(() => NO_DATA)
