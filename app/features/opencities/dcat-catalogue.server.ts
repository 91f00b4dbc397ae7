import type { Language } from '#app/lib/languages.ts'
import { toPlainText } from '#app/lib/rich-text.ts'
import { findTranslation, type Translated } from '#app/lib/translated.ts'
import type { Ctx } from '#app/server/context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { listVersionedResults } from './open-versions.server.ts'
import type { OpenResult } from './open-results.server.ts'

export const RESULTS_LICENCE = 'https://creativecommons.org/licenses/by/4.0/'

/** Stable addresses of a consultation's results: the newest version, or a fixed one. */
export const buildResultsUrl = (
  ctx: Ctx,
  { project, survey }: Pick<OpenResult, 'project' | 'survey'>,
  kind: 'csv' | 'json',
  version?: string,
): string => buildSiteUrl(ctx, `/open-data/${project}/${survey}${version === undefined ? '' : `/${version}`}.${kind}`)

const buildIdentifier = ({ project, survey }: OpenResult) => `${project}/${survey}`
const toSiteText = (ctx: Ctx, text: Translated) => toPlainText(findTranslation(text, ctx.site.locale)?.text ?? '')

/** The site's catalogue in DCAT-US 3.0, for portals to harvest. */
export async function buildDcatUs(ctx: Ctx): Promise<object> {
  const results = await listVersionedResults(ctx)
  const publisher = { '@type': 'Organization', name: ctx.site.name }
  return {
    '@id': buildSiteUrl(ctx, '/data.json'),
    '@type': 'Catalog',
    conformsTo: { '@type': 'Standard', title: 'DCAT-US 3.0', '@id': 'https://resources.data.gov/resources/dcat-us-3-catalog/' },
    title: ctx.site.name,
    publisher,
    dataset: results.map((result) => ({
      '@id': `${buildSiteUrl(ctx, '/data.json')}#${buildIdentifier(result)}`,
      '@type': 'Dataset',
      identifier: buildIdentifier(result),
      title: toSiteText(ctx, result.title),
      description: toSiteText(ctx, result.description) || toSiteText(ctx, result.title),
      publisher,
      ...(ctx.site.contactEmail
        ? { contactPoint: { '@type': 'Kind', fn: ctx.site.name, hasEmail: `mailto:${ctx.site.contactEmail}` } }
        : {}),
      ...(result.latest && {
        modified: result.latest.madeAt.toISOString(),
        version: result.latest.version,
        hasCurrentVersion: buildResultsUrl(ctx, result, 'json', result.latest.version),
      }),
      license: RESULTS_LICENCE,
      accessLevel: 'public',
      language: [ctx.site.locale],
      landingPage: buildSiteUrl(ctx, `/projects/${result.project}/surveys/${result.survey}/results`),
      distribution: (['csv', 'json'] as const).map((kind) => ({
        '@type': 'Distribution',
        title: kind.toUpperCase(),
        downloadURL: buildResultsUrl(ctx, result, kind),
        mediaType: kind === 'csv' ? 'text/csv' : 'application/json',
        format: kind.toUpperCase(),
        license: RESULTS_LICENCE,
        describedBy: buildResultsUrl(ctx, result, 'json'),
      })),
    })),
  }
}

const FILE_TYPES = 'http://publications.europa.eu/resource/authority/file-type'

/** The same catalogue in DCAT-AP, as JSON-LD with texts in each of the site's languages. */
export async function buildDcatAp(ctx: Ctx): Promise<object> {
  const results = await listVersionedResults(ctx)
  const publisher = { '@id': buildSiteUrl(ctx, '/'), '@type': 'foaf:Agent', 'foaf:name': ctx.site.name }
  const toLanguageValues = (text: Translated) =>
    (Object.entries(text) as [Language, string][])
      .filter(([, one]) => one.trim())
      .map(([language, one]) => ({ '@language': language, '@value': toPlainText(one) }))
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
    'dcat:dataset': results.map((result) => ({
      '@id': `${buildSiteUrl(ctx, '/catalog.jsonld')}#${buildIdentifier(result)}`,
      '@type': 'dcat:Dataset',
      'dct:identifier': buildIdentifier(result),
      'dct:title': toLanguageValues(result.title),
      'dct:description': toLanguageValues(result.description),
      'dct:publisher': publisher,
      ...(result.latest && {
        'dct:modified': { '@type': 'xsd:dateTime', '@value': result.latest.madeAt.toISOString() },
        'dcat:version': result.latest.version,
        'dcat:hasCurrentVersion': { '@id': buildResultsUrl(ctx, result, 'json', result.latest.version) },
      }),
      'dcat:landingPage': { '@id': buildSiteUrl(ctx, `/projects/${result.project}/surveys/${result.survey}/results`) },
      'dcat:distribution': (['csv', 'json'] as const).map((kind) => ({
        '@id': buildResultsUrl(ctx, result, kind),
        '@type': 'dcat:Distribution',
        'dcat:downloadURL': { '@id': buildResultsUrl(ctx, result, kind) },
        'dcat:accessURL': { '@id': buildResultsUrl(ctx, result, kind) },
        'dcat:mediaType': { '@id': `http://www.iana.org/assignments/media-types/${kind === 'csv' ? 'text/csv' : 'application/json'}` },
        'dct:format': { '@id': `${FILE_TYPES}/${kind.toUpperCase()}` },
        'dct:license': { '@id': RESULTS_LICENCE },
      })),
    })),
  }
}
