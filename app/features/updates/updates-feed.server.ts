import { formatAtomFeed } from '#app/lib/atom.ts'
import { escapeXml } from '#app/lib/escape-html.ts'
import { type ContentLanguage, listContentLanguages } from '#app/lib/languages.ts'
import { toExcerpt, renderRichTextHtml } from '#app/lib/rich-text.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { RequestContext } from '#app/server/request-context.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import { loadLatestUpdates } from './updates.server.ts'

const MAX_ENTRIES = 50
const SUMMARY_LETTERS = 300

/** Atom 1.0 (RFC 4287): the newest public updates, in the page's language if available. */
export async function buildAtomFeed(ctx: Ctx): Promise<string> {
  const { site, contentLanguage: language } = ctx
  const updates = await loadLatestUpdates({ ...ctx, viewer: VISITOR }, MAX_ENTRIES)
  const buildAddress = (path: string, other: ContentLanguage = language) =>
    buildSiteUrl(ctx, other === site.locale ? path : `/${other}${path}`)
  const t = getTranslator(ctx.language, 'participant')
  const updated = updates[0]?.publishedAt ?? site.createdAt
  const entries = updates.map((update) => {
    const localise = (translated: typeof update.title) => localiseText(translated, language, site.locale)
    const [title, body, project] = [localise(update.title), localise(update.body), localise(update.project.title)]
    const link = buildAddress(`/projects/${update.project.slug}/updates/${update.slug}`)
    const published = (update.publishedAt ?? updated).toISOString()
    return [
      `<entry${title.lang ? ` xml:lang="${title.lang}"` : ''}>`,
      `<id>urn:uuid:${update.id}</id>`,
      `<title>${escapeXml(title.text)}</title>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(link)}"/>`,
      `<published>${published}</published>`,
      `<updated>${published}</updated>`,
      `<category term="${escapeXml(update.project.slug)}" label="${escapeXml(project.text)}"/>`,
      `<summary>${escapeXml(toExcerpt(body.text, SUMMARY_LETTERS))}</summary>`,
      `<content type="html">${escapeXml(renderRichTextHtml(body.text, buildAddress))}</content>`,
      '</entry>',
    ].join('\n')
  })
  return formatAtomFeed({
    id: `urn:uuid:${site.id}:${language}`,
    title: t('feed.title', { site: site.name }),
    language,
    updated,
    author: { name: site.name, uri: buildSiteUrl(ctx, '/') },
    self: buildAddress('/feed.atom'),
    page: buildAddress(language === site.locale ? '/' : ''),
    others: listContentLanguages(site)
      .filter((other) => other !== language)
      .map((other) => ({ language: other, href: buildAddress('/feed.atom', other) })),
    entries,
  })
}

export const serveFeed = async ({ context }: { context: RequestContext }): Promise<Response> =>
  new Response(await buildAtomFeed(context.ctx), { headers: { 'content-type': 'application/atom+xml; charset=utf-8' } })
