import type { i18n } from 'i18next'
import { type ContentLanguage, isInterfaceLanguage } from '#app/lib/languages.ts'
import { toLocaleTag } from '#app/lib/locale-tag.ts'
import { toLocalisedPath } from './localised-path.ts'
import { type JsonLd, buildOrganization, toJsonLd } from './structured-data.ts'
import type { SiteFrame } from './sites.schema.ts'

export interface PageFacts {
  title: string
  description?: string
  /** The page's path as links write it, with only the parameters that make it a different page. */
  path: string
  /** Name of its share card, `/og/{card}.png`. Defaults to the site's. */
  card?: string
  type?: 'website' | 'article'
  publishedAt?: string | null
  jsonLd?: JsonLd[]
  /** Not for search engines: an empty list, a preview, a personal page. */
  hidden?: boolean
  /** Path of a feed of its own, instead of the site's. */
  feed?: string | undefined
}

interface HeadContext {
  matches: readonly { routeId: string; loaderData?: unknown }[]
  match: { context: { i18n: i18n } }
}

const MAX_DESCRIPTION_LENGTH = 300

/** The frame loaded by the surrounding layout; undefined if that failed. */
export const findSiteFrame = ({ matches }: Pick<HeadContext, 'matches'>): SiteFrame | undefined =>
  matches.find((match) => match.routeId === '/_site')?.loaderData as SiteFrame | undefined

/** A fixed `t` of the participants' texts, for a page's head. */
export const getHeadTexts = ({ match }: Pick<HeadContext, 'match'>) =>
  match.context.i18n.getFixedT(match.context.i18n.language, 'participant')

/** URL of a page in a language; the site's own language has no prefix. */
export const buildPageUrl = (frame: Pick<SiteFrame, 'origin' | 'locale'>, path: string, language: ContentLanguage): string =>
  `${frame.origin}${toLocalisedPath(path, language, frame.locale)}`

/** Everything in a page's head for search engines and link previews. */
export function buildPageHead(found: HeadContext, facts: PageFacts) {
  const frame = findSiteFrame(found)
  if (!frame) return { meta: [{ title: facts.title }] }
  const { language, languages: alternates } = frame
  const canonical = buildPageUrl(frame, facts.path, language)
  const title = facts.path === '/' ? facts.title : `${facts.title} · ${frame.name}`
  const description = facts.description?.slice(0, MAX_DESCRIPTION_LENGTH)
  const listPreviewTags = () => {
    const picture = buildPageUrl(frame, `/og/${facts.card ?? 'site/home'}.png`, language)
    const toOgLocale = (each: ContentLanguage) => (isInterfaceLanguage(each) ? toLocaleTag(each, frame.region) : each).replace('-', '_')
    return [
      { property: 'og:site_name', content: frame.name },
      { property: 'og:type', content: facts.type ?? 'website' },
      { property: 'og:title', content: facts.title },
      ...(description ? [{ property: 'og:description', content: description }] : []),
      { property: 'og:url', content: canonical },
      { property: 'og:locale', content: toOgLocale(language) },
      ...alternates.filter((other) => other !== language).map((other) => ({ property: 'og:locale:alternate', content: toOgLocale(other) })),
      { property: 'og:image', content: picture },
      { property: 'og:image:width', content: '1200' },
      { property: 'og:image:height', content: '630' },
      { property: 'og:image:alt', content: facts.title },
      { name: 'twitter:card', content: 'summary_large_image' },
      ...(facts.publishedAt ? [{ property: 'article:published_time', content: facts.publishedAt }] : []),
    ]
  }
  return {
    meta: [
      { title },
      ...(description ? [{ name: 'description', content: description }] : []),
      ...(facts.hidden ? [{ name: 'robots', content: 'noindex' }] : []),
      ...(import.meta.env.SSR ? listPreviewTags() : []),
    ],
    links: [
      { rel: 'canonical', href: canonical },
      ...(facts.hidden || alternates.length < 2
        ? []
        : [
            ...alternates.map((other) => ({ rel: 'alternate', hrefLang: other, href: buildPageUrl(frame, facts.path, other) })),
            { rel: 'alternate', hrefLang: 'x-default', href: buildPageUrl(frame, facts.path, frame.locale) },
          ]),
      {
        rel: 'alternate',
        type: 'application/atom+xml',
        title: facts.feed ? facts.title : frame.name,
        href: buildPageUrl(frame, facts.feed ?? '/feed.atom', language),
      },
    ],
    // Search engines and link previews read them from the server's page; no script needs to carry what builds them.
    scripts:
      facts.hidden || !import.meta.env.SSR
        ? []
        : [{ type: 'application/ld+json', children: toJsonLd([buildOrganization(frame), ...(facts.jsonLd ?? [])]) }],
  }
}
