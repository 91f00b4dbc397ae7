import type { Fault } from '../../lib/app-error.ts'
import { faultTitle } from '../../lib/fault-title.ts'
import type { Language } from '../../lib/languages.ts'
import { translator } from '../i18n.ts'

/** What a person is told about a fault. */
export function titleOf(fault: Pick<Fault, 'code' | 'values'>, language: Language): string {
  const [key, options] = faultTitle(fault)
  return translator(language, 'errors')(key, options)
}
