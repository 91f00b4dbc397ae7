import { withShownPictures } from '#app/features/homepage/block-pictures.server.ts'
import { type HomeBlockView, isEmptyBlock, viewBlock } from '#app/features/homepage/homepage.schema.ts'
import { featuredOf, lookUp } from '#app/features/homepage/lookups.server.ts'
import { marked } from '#app/lib/campaign-marks.ts'
import type { Language } from '#app/lib/languages.ts'
import { merged } from '#app/lib/merge-fields.ts'
import { inLanguage, type Translated } from '#app/lib/translated.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import { VISITOR } from '#app/server/auth/viewer.ts'
import type { Ctx } from '#app/server/context.ts'
import { translator } from '#app/server/i18n.ts'
import { siteUrl } from '#app/server/site-url.ts'
import type { LetterBlock } from './newsletters.schema.ts'
import { type LetterBlockView, renderLetter } from './render-newsletter.ts'

interface Written {
  /** Names the campaign in the links' marks. */
  name: string
  hubId: string | null
  subject: Translated
  blocks: readonly LetterBlock[]
}

export interface Composed {
  subject: string
  bodyText: string
  bodyHtml: string
}

/** A newsletter as its readers of one language get it, but for their names and ways out: as a visitor would see what its blocks show. */
export async function composeLetter(given: Ctx, { name, hubId, subject, blocks }: Written, language: Language): Promise<Composed> {
  const ctx: Ctx = { ...given, language, viewer: VISITOR }
  const { site } = ctx
  const t = translator(language, 'mail')
  const fields = { name: '{{name}}', site: site.name, link: siteUrl(ctx, `/${language}`) }
  const words = (text: Translated) => {
    const found = localiseText(text, language, site.locale)
    return { ...found, text: merged(found.text, fields) }
  }
  const views: HomeBlockView[] = []
  for (const block of blocks) {
    const view = viewBlock(block, await lookUp(ctx, block, { hubId, featured: featuredOf(blocks) }), words)
    if (!isEmptyBlock(view)) views.push(view)
  }
  const href = (to: string) => {
    if (!to.startsWith('/')) return to
    // Files have no language.
    return /\.\w+$|^\/media\//.test(to) ? siteUrl(ctx, to) : marked(siteUrl(ctx, `/${language}${to}`), name)
  }
  const said = merged(inLanguage(subject, language, site.locale), fields)
  const { html, text } = renderLetter({
    language,
    subject: said,
    site: site.name,
    greeting: t('greeting', { name: '{{name}}' }),
    blocks: (await withShownPictures(ctx, views)) as LetterBlockView[],
    foot: {
      why: t('newsletter.why', { site: site.name }),
      leave: t('newsletter.leave'),
      choose: t('newsletter.choose'),
      chooseHref: siteUrl(ctx, `/${language}/account/profile`),
    },
    words: { answer: t('newsletter.answer') },
    href,
  })
  return { subject: said, bodyText: text, bodyHtml: html }
}
