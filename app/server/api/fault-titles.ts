import type { Fault } from '../../lib/app-error.ts'
import { toFaultTitle } from '../../lib/fault-title.ts'
import type { Language } from '../../lib/languages.ts'
import { getTranslator } from '../i18n.ts'

/** A fault as people read it. */
export function formatFaultTitle(fault: Pick<Fault, 'code' | 'values'>, language: Language): string {
  const [key, options] = toFaultTitle(fault)
  return getTranslator(language, 'errors')(key, options)
}

/** What exactly is wrong, for developers, in the language of the request. Plain text was written by a program and is not sent. */
export function formatFaultDetail({ detail }: Fault, language: Language): string | undefined {
  if (typeof detail !== 'object') return undefined
  return detail.fault
    ? formatFaultTitle(detail.fault, language)
    : getTranslator(language, 'api')(`details.${detail.key}`, { ...detail.values })
}
