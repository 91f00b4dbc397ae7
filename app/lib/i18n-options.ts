import type { InitOptions } from 'i18next'
import { LANGUAGES } from './languages.ts'
import { DEFAULT_NAMESPACE, NAMESPACES } from './namespaces.ts'

/** How texts are looked up, on the server and in the browser alike. Every language is complete, so there is no fallback. */
export const i18nOptions = {
  supportedLngs: [...LANGUAGES],
  fallbackLng: false,
  load: 'currentOnly',
  ns: [...NAMESPACES],
  defaultNS: DEFAULT_NAMESPACE,
  initAsync: false,
  interpolation: { escapeValue: false },
} satisfies InitOptions
