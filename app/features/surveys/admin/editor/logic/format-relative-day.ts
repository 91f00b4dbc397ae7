import type { Language } from '#app/lib/languages.ts'
import { formatWelshRelative } from '#app/lib/welsh-format.ts'
import type { RelativeDay } from '#app/features/surveys/questionnaire/conditions.schema.ts'

/** "18 years ago", "today", "in 2 months". */
export function formatRelativeDay({ ago, unit }: RelativeDay, language: Language): string {
  if (language === 'cy') return formatWelshRelative(-ago, unit)
  const numeric = unit === 'day' ? 'auto' : 'always'
  return new Intl.RelativeTimeFormat(language, { numeric }).format(-ago, unit).replace(/[\u202f\u2009]/g, '\u00a0')
}
