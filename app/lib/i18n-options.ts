import type { InitOptions, PostProcessorModule } from 'i18next'
import { LANGUAGES } from './languages.ts'
import { DEFAULT_NAMESPACE, NAMESPACES } from './namespaces.ts'

/** A time such as “9:30 p.m.” at the end of a sentence already brings its full stop. */
export const sentenceEnds: PostProcessorModule = {
  type: 'postProcessor',
  name: 'sentence-ends',
  process: (text) => text.replace(/(?<=\b[ap]\.m\.)\./g, ''),
}

/** i18next options for the server and the browser. Every language is complete, so there is no fallback. */
export const i18nOptions = {
  supportedLngs: [...LANGUAGES],
  fallbackLng: false,
  load: 'currentOnly',
  ns: [...NAMESPACES],
  defaultNS: DEFAULT_NAMESPACE,
  initAsync: false,
  interpolation: { escapeValue: false },
  postProcess: sentenceEnds.name,
} satisfies InitOptions
