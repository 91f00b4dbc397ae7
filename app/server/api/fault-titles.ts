import type { Fault } from '../../lib/app-error.ts'
import { toFaultTitle } from '../../lib/fault-title.ts'
import type { Language } from '../../lib/languages.ts'
import { getTranslator } from '../i18n.ts'

/** A fault as people read it. */
export function formatFaultTitle(fault: Pick<Fault, 'code' | 'values'>, language: Language): string {
  const [key, options] = toFaultTitle(fault)
  return getTranslator(language, 'errors')(key, options)
}
