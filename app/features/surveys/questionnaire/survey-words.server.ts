import { getFormatter } from '#app/lib/format.ts'
import { localiseText } from '#app/lib/localised-text.ts'
import type { Ctx } from '#app/server/context.ts'
import { getTranslator } from '#app/server/i18n.ts'
import type { SurveyWords } from './use-survey-words.ts'

/** Texts, language and formats for texts about surveys that are written on the server. */
export const getSurveyWords = ({ language, contentLanguage, site }: Pick<Ctx, 'language' | 'contentLanguage' | 'site'>): SurveyWords => ({
  t: getTranslator(language, 'survey'),
  language,
  format: getFormatter({ language, timeZone: site.timeZone, region: site.region }),
  say: (text) => localiseText(text, contentLanguage, site.locale),
})
