import { createInstance, type i18n } from 'i18next'
import { i18nOptions, sentenceEnds } from '../lib/i18n-options.ts'
import type { Language } from '../lib/languages.ts'
import type { Namespace } from '../lib/namespaces.ts'
import { texts as cy } from './texts/cy.ts'
import { texts as en } from './texts/en.ts'
import { texts as fr } from './texts/fr-ca.ts'
import type { Texts } from './texts/texts.ts'

/** All of Parley's texts, loaded once when the process starts. The browser fetches the same files over HTTP. */
export const TEXTS: Record<Language, Texts> = {
  en,
  'fr-CA': fr,
  cy,
}

/** An i18next instance for one request in one language, with all texts loaded. */
export function createServerI18n(language: Language): i18n {
  const instance = createInstance().use(sentenceEnds)
  void instance.init({ ...i18nOptions, lng: language, resources: { [language]: { ...TEXTS[language] } } })
  return instance
}

/** `t` for texts outside a page, such as mails: `getTranslator('cy', 'mail')('greeting', { name })`. */
export const getTranslator = <N extends Namespace>(language: Language, namespace: N) => getInstance(language).getFixedT(language, namespace)

const instances = new Map<Language, i18n>()

function getInstance(language: Language): i18n {
  const instance = instances.get(language) ?? createServerI18n(language)
  instances.set(language, instance)
  return instance
}
