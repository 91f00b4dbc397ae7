import { OPEN_LICENCE } from '#app/lib/open-licence.ts'
import type { Language } from '#app/lib/languages.ts'
import { toPlainText } from '#app/lib/rich-text.ts'
import { findTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import {
  buildContributionsUrl,
  listOpenActivities,
  type OpenActivity,
} from '#app/features/contributions/results/open-contributions.server.ts'
import { listVersionedResults } from './open-versions.server.ts'
import type { OpenResult } from './open-results.server.ts'

/** Stable addresses of a consultation's results: the newest version, or a fixed one. */
export const buildResultsUrl = (
  ctx: Ctx,
  { project, survey }: Pick<OpenResult, 'project' | 'survey'>,
  kind: 'csv' | 'json',
  version?: string,
): string => buildSiteUrl(ctx, `/open-data/${project}/${survey}${version === undefined ? '' : `/${version}`}.${kind}`)

const buildIdentifier = ({ project, survey }: OpenResult) => `${project}/${survey}`
const buildActivityIdentifier = ({ project, activity }: OpenActivity) => `${project}/${activity}/contributions`
const MEDIA_TYPES = { csv: 'text/csv', json: 'application/json', geojson: 'application/geo+json' }
const toSiteText = (ctx: Ctx, text: Translated) => toPlainText(findTranslation(text, ctx.site.locale)?.text ?? '')

/**
 * The site's catalogue in DCAT-US 3.0, for portals to harvest. Its schema requires an address to write to for each dataset: the catalogue of a
 * site without one does not claim to conform.
 */
export async function buildDcatUs(ctx: Ctx): Promise<object> {
  const [results, activities] = await Promise.all([listVersionedResults(ctx), listOpenActivities(ctx)])
  const publisher = { '@type': 'Organization', name: ctx.site.name, prefLabel: ctx.site.name }
  const describeDataset = (identifier: string, { title, description }: { title: Translated; description: Translated }) => ({
    '@id': `${buildSiteUrl(ctx, '/data.json')}#${identifier}`,
    '@type': 'Dataset',
    identifier,
    title: toSiteText(ctx, title),
    description: toSiteText(ctx, description) || toSiteText(ctx, title),
    publisher,
    ...(ctx.site.contactEmail
      ? { contactPoint: [{ '@type': 'Kind', fn: ctx.site.name, hasEmail: `mailto:${ctx.site.contactEmail}` }] }
      : {}),
    license: OPEN_LICENCE,
    accessRights: 'public',
    // The same in DCAT-US 1.1, for harvesters that know no other.
    accessLevel: 'public',
    // ISO 639-1: two letters.
    language: [ctx.site.locale.slice(0, 2)],
  })
  const describePage = (title: Translated, path: string) => ({
    '@id': buildSiteUrl(ctx, path),
    '@type': 'Document',
    title: toSiteText(ctx, title),
    accessURL: buildSiteUrl(ctx, path),
  })
  const describeFile = (kind: keyof typeof MEDIA_TYPES, url: string) => ({
    '@type': 'Distribution',
    title: kind.toUpperCase(),
    downloadURL: url,
    mediaType: MEDIA_TYPES[kind],
    format: kind.toUpperCase(),
    license: OPEN_LICENCE,
  })
  return {
    '@id': buildSiteUrl(ctx, '/data.json'),
    '@type': 'Catalog',
    ...(ctx.site.contactEmail && {
      conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0', '@id': 'https://resources.data.gov/resources/dcat-us-3-catalog/' },
    }),
    title: ctx.site.name,
    description: getTranslator(ctx.site.locale, 'city-data')('results.catalogue', { site: ctx.site.name }),
    language: [ctx.site.locale.slice(0, 2)],
    publisher,
    dataset: [
      ...results.map((result) => ({
        ...describeDataset(buildIdentifier(result), result),
        ...(result.latest && {
          modified: result.latest.madeAt.toISOString(),
          version: result.latest.version,
          hasCurrentVersion: {
            ...describeDataset(buildIdentifier(result), result),
            '@id': buildResultsUrl(ctx, result, 'json', result.latest.version),
          },
        }),
        landingPage: describePage(result.title, `/projects/${result.project}/surveys/${result.survey}/results`),
        distribution: (['csv', 'json'] as const).map((kind) => ({
          ...describeFile(kind, buildResultsUrl(ctx, result, kind)),
          describedBy: describeFile('json', buildResultsUrl(ctx, result, 'json')),
        })),
      })),
      ...activities.map((open) => ({
        ...describeDataset(buildActivityIdentifier(open), open),
        landingPage: describePage(open.title, `/projects/${open.project}/${open.activity}`),
        distribution: open.formats.map((kind) => describeFile(kind, buildContributionsUrl(ctx, open, kind))),
      })),
    ],
  }
}

const FILE_TYPES = 'http://publications.europa.eu/resource/authority/file-type'

/** The same catalogue in DCAT-AP, as JSON-LD with texts in each of the site's languages. */
export async function buildDcatAp(ctx: Ctx): Promise<object> {
  const [results, activities] = await Promise.all([listVersionedResults(ctx), listOpenActivities(ctx)])
  const publisher = { '@id': buildSiteUrl(ctx, '/'), '@type': 'foaf:Agent', 'foaf:name': ctx.site.name }
  const toLanguageValues = (text: Translated) =>
    (Object.entries(text) as [Language, string][])
      .filter(([, one]) => one.trim())
      .map(([language, one]) => ({ '@language': language, '@value': toPlainText(one) }))
  const describeDataset = (identifier: string, { title, description }: { title: Translated; description: Translated }) => ({
    '@id': `${buildSiteUrl(ctx, '/catalog.jsonld')}#${identifier}`,
    '@type': 'dcat:Dataset',
    'dct:identifier': identifier,
    'dct:title': toLanguageValues(title),
    'dct:description': toLanguageValues(description),
    'dct:publisher': publisher,
  })
  const describeFile = (kind: keyof typeof MEDIA_TYPES, url: string) => ({
    '@id': url,
    '@type': 'dcat:Distribution',
    'dcat:downloadURL': { '@id': url },
    'dcat:accessURL': { '@id': url },
    'dcat:mediaType': { '@id': `http://www.iana.org/assignments/media-types/${MEDIA_TYPES[kind]}` },
    'dct:format': { '@id': `${FILE_TYPES}/${kind.toUpperCase()}` },
    'dct:license': { '@id': OPEN_LICENCE },
  })
  return {
    '@context': {
      dcat: 'http://www.w3.org/ns/dcat#',
      dct: 'http://purl.org/dc/terms/',
      foaf: 'http://xmlns.com/foaf/0.1/',
      xsd: 'http://www.w3.org/2001/XMLSchema#',
    },
    '@id': buildSiteUrl(ctx, '/catalog.jsonld'),
    '@type': 'dcat:Catalog',
    'dct:title': ctx.site.name,
    'dct:description': ctx.site.name,
    'dct:publisher': publisher,
    'dcat:dataset': [
      ...results.map((result) => ({
        ...describeDataset(buildIdentifier(result), result),
        ...(result.latest && {
          'dct:modified': { '@type': 'xsd:dateTime', '@value': result.latest.madeAt.toISOString() },
          'dcat:version': result.latest.version,
          'dcat:hasCurrentVersion': { '@id': buildResultsUrl(ctx, result, 'json', result.latest.version) },
        }),
        'dcat:landingPage': { '@id': buildSiteUrl(ctx, `/projects/${result.project}/surveys/${result.survey}/results`) },
        'dcat:distribution': (['csv', 'json'] as const).map((kind) => describeFile(kind, buildResultsUrl(ctx, result, kind))),
      })),
      ...activities.map((open) => ({
        ...describeDataset(buildActivityIdentifier(open), open),
        'dcat:landingPage': { '@id': buildSiteUrl(ctx, `/projects/${open.project}/${open.activity}`) },
        'dcat:distribution': open.formats.map((kind) => describeFile(kind, buildContributionsUrl(ctx, open, kind))),
      })),
    ],
  }
}
