import type { ContentLanguage } from '../lib/languages.ts'
import { addLanguageOffer } from './language-offer.ts'
import { isAdminPath } from './page-key.ts'
import { inlineUsedStyles, type Stylesheet } from './page-styles.ts'
import { fillTexts } from './page-texts.ts'
import { requestScriptsAfterPaint } from './scripts-after-paint.ts'

export interface PageAdditions {
  path: string
  /** A language that the page offers at its top. */
  offered: ContentLanguage | undefined
  /** Of which the page gets the rules it uses. */
  stylesheet: Stylesheet | undefined
  /** Of a page whose content policy names no hashes. */
  nonce: string | undefined
}

/**
 * What a rendered page gets before it is sent or kept. Pages of the administration show nothing before their scripts run, so they get their texts only.
 * @returns the page in pieces, some of which `findCompressedTexts` knows
 */
export const finishPage = (html: string, { path, offered, stylesheet, nonce }: PageAdditions): Buffer[] =>
  fillTexts(isAdminPath(path) ? html : addLanguageOffer(requestScriptsAfterPaint(inlineUsedStyles(html, stylesheet, nonce)), path, offered))
