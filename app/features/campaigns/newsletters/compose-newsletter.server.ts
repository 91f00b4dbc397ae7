import { resolvePictures } from '#app/features/homepage/block-pictures.server.ts'
import { type HomeBlockView, isEmptyBlock, toBlockView } from '#app/features/homepage/homepage.schema.ts'
import { listFeatured, lookUpBlock } from '#app/features/homepage/block-lookups.server.ts'
import { addCampaignParameters } from '#app/lib/campaign-parameters.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { fillMergeFields } from '#app/lib/merge-fields.ts'
import { getTranslation, type Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import { type Ctx, withLanguage } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import { buildSiteUrl } from '#app/server/site-url.ts'
import type { NewsletterBlock } from './newsletters.schema.ts'
import { type NewsletterBlockView, renderNewsletter } from './render-newsletter.ts'

interface NewsletterSource {
  /** Campaign name for the tracking parameters of links. */
  name: string
  hubId: string | null
  subject: Translated
  blocks: readonly NewsletterBlock[]
}

export interface ComposedNewsletter {
  subject: string
  bodyText: string
  bodyHtml: string
}

/**
 * Renders a newsletter in one language, without the reader's name and unsubscribe link. Blocks show what a visitor would see.
 * @param toLink what its links lead to instead of their own address; never those of the foot
 */
export async function composeNewsletter(
  given: Ctx,
  { name, hubId, subject, blocks }: NewsletterSource,
  language: ContentLanguage,
  toLink: (url: string) => string = (url) => url,
): Promise<ComposedNewsletter> {
  const ctx = withLanguage({ ...given, viewer: VISITOR }, language)
  const { site } = ctx
  const t = getTranslator(ctx.language, 'mail')
  const fields = { name: '{{name}}', site: site.name, link: buildSiteUrl(ctx, `/${language}`) }
  const localiseAndMerge = (text: Translated) => {
    const found = localiseText(text, language, site.locale)
    return { ...found, text: fillMergeFields(found.text, fields) }
  }
  const views: HomeBlockView[] = []
  for (const block of blocks) {
    const view = toBlockView(block, await lookUpBlock(ctx, block, { hubId, featured: listFeatured(blocks) }), localiseAndMerge)
    if (!isEmptyBlock(view)) views.push(view)
  }
  const toAbsoluteUrl = (to: string) => {
    if (!to.startsWith('/')) return to
    // Files have no language prefix.
    return /\.\w+$|^\/media\//.test(to) ? buildSiteUrl(ctx, to) : addCampaignParameters(buildSiteUrl(ctx, `/${language}${to}`), name)
  }
  const said = fillMergeFields(getTranslation(subject, language, site.locale), fields)
  const { html, text } = renderNewsletter({
    language: ctx.language,
    subject: said,
    site: site.name,
    greeting: t('greeting', { name: '{{name}}' }),
    blocks: (await resolvePictures(ctx, views)) as NewsletterBlockView[],
    foot: {
      why: t('newsletter.why', { site: site.name }),
      leave: t('newsletter.leave'),
      choose: t('newsletter.choose'),
      chooseHref: buildSiteUrl(ctx, `/${language}/account/profile`),
    },
    words: { answer: t('newsletter.answer') },
    href: (to) => toLink(toAbsoluteUrl(to)),
    src: toAbsoluteUrl,
  })
  return { subject: said, bodyText: text, bodyHtml: html }
}
