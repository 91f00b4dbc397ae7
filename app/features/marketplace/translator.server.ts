import type { ContentLanguage } from '#app/lib/languages.ts'
import type { Ctx } from '#app/server/context.ts'
import type { Limit } from '#app/server/limits/limits.ts'
import { loadEnabledInstallations } from './installations.server.ts'
import type { TextTranslator } from './integrations/integration.server.ts'
import { createService } from './service-calls.server.ts'

/** More is not sent to a service at once, in characters. */
export const MAX_TRANSLATED_LETTERS = 30_000
const A_DAY_IN_MINUTES = 24 * 60

/** The site's translation service. */
export interface Translator {
  /** As readers are shown it. */
  name: string
  /** @param letters how long the text is */
  canTranslate: (letters: number, from: ContentLanguage, to: ContentLanguage) => boolean
  /** What so many characters count against what the site may send in 24 hours. */
  limit: (letters: number) => Limit
  /** @throws {ProviderFault} */
  translate: (asked: Parameters<TextTranslator['translate']>[1]) => Promise<string[]>
}

/** The site's service, if it has one. Asks it nothing, and does not open its key: what is public of the settings says what it can do. */
export async function findTranslator(ctx: Ctx): Promise<Translator | undefined> {
  const [enabled] = await loadEnabledInstallations(ctx, 'translate-texts')
  const translator = enabled?.integration.translator
  if (!enabled || !translator) return undefined
  const { row } = enabled
  return {
    name: translator.getName(row.settings),
    canTranslate: (letters, from, to) =>
      letters > 0 && letters <= MAX_TRANSLATED_LETTERS && translator.canTranslate(row.settings, from, to),
    limit: (letters) => ({
      name: 'translation/site',
      of: 'site',
      most: translator.getDailyLimit(row.settings),
      minutes: A_DAY_IN_MINUTES,
      cost: letters,
    }),
    translate: (asked) => translator.translate(createService(ctx, row), asked),
  }
}
