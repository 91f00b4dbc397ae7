import { OPEN_LICENCE } from '#app/lib/open-licence.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import { toExcerpt } from '#app/lib/rich-text.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { buildResultsUrl } from './dcat-catalogue.server.ts'
import { listVersionedResults, type VersionedResult } from './open-versions.server.ts'

const SUMMARY_LETTERS = 300

const formatModifiedAt = ({ latest, publishedAt }: VersionedResult) => (latest?.madeAt ?? publishedAt)?.toISOString()

/**
 * Atom 1.0 (RFC 4287): results of consultations, most recently changed first, so that a portal can follow them without rereading the
 * catalogue.
 */
export async function buildResultsFeed(ctx: Ctx): Promise<string> {
  const { site, language } = ctx
  const results = (await listVersionedResults(ctx)).toSorted((a, b) => (formatModifiedAt(b) ?? '').localeCompare(formatModifiedAt(a) ?? ''))
  const first = results[0]
  const entries = results.map((result) => {
    const title = localiseText(result.title, ctx.contentLanguage, site.locale)
    const page = buildSiteUrl(ctx, `/projects/${result.project}/surveys/${result.survey}/results`)
    return [
      `<entry${title.lang ? ` xml:lang="${title.lang}"` : ''}>`,
      `<id>${escapeXml(buildResultsUrl(ctx, result, 'json'))}</id>`,
      `<title>${escapeXml(title.text)}</title>`,
      `<updated>${formatModifiedAt(result) ?? site.createdAt.toISOString()}</updated>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(page)}"/>`,
      `<link rel="enclosure" type="text/csv" href="${escapeXml(buildResultsUrl(ctx, result, 'csv'))}"/>`,
      `<link rel="enclosure" type="application/json" href="${escapeXml(buildResultsUrl(ctx, result, 'json'))}"/>`,
      ...(result.latest
        ? [
            `<link rel="latest-version" type="application/json" href="${escapeXml(buildResultsUrl(ctx, result, 'json', result.latest.version))}"/>`,
          ]
        : []),
      `<link rel="license" href="${OPEN_LICENCE}"/>`,
      `<summary>${escapeXml(toExcerpt(localiseText(result.description, ctx.contentLanguage, site.locale).text, SUMMARY_LETTERS))}</summary>`,
      '</entry>',
    ].join('\n')
  })
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">`,
    `<id>${escapeXml(buildSiteUrl(ctx, '/open-data.atom'))}</id>`,
    `<title>${escapeXml(`${site.name}: ${getTranslator(language, 'city-data')('results.title')}`)}</title>`,
    `<updated>${(first && formatModifiedAt(first)) ?? site.createdAt.toISOString()}</updated>`,
    `<author><name>${escapeXml(site.name)}</name></author>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(buildSiteUrl(ctx, '/open-data.atom'))}"/>`,
    ...entries,
    '</feed>\n',
  ].join('\n')
}
