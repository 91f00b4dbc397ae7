import { createInstance } from 'i18next'
import cy from '../../../locales/cy/errors.json' with { type: 'json' }
import en from '../../../locales/en/errors.json' with { type: 'json' }
import fr from '../../../locales/fr-CA/errors.json' with { type: 'json' }
import type { Fault } from '../../lib/app-error.ts'
import { faultTitle } from '../../lib/fault-title.ts'
import type { Language } from '../../lib/languages.ts'

const i18n = createInstance()
void i18n.init({
  resources: { en: { errors: en }, 'fr-CA': { errors: fr }, cy: { errors: cy } },
  fallbackLng: 'en',
  defaultNS: 'errors',
  initAsync: false,
  interpolation: { escapeValue: false },
})

/** What a person is told about a fault. */
export function titleOf(fault: Pick<Fault, 'code' | 'values'>, language: Language): string {
  const [key, options] = faultTitle(fault)
  return i18n.getFixedT(language)(key, options)
}
