import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'

/** For a text's `lang`: nothing if it is in the language of the page. */
export const toLang = (ctx: Ctx, language: ContentLanguage): { lang?: ContentLanguage } =>
  language === ctx.language ? {} : { lang: language }
