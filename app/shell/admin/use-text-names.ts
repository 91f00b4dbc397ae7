import { useTranslation } from 'react-i18next'
import { CONTENT_LANGUAGES } from '#app/lib/languages.ts'

/** What only holds texts is not part of a text's name. */
const CONTAINERS: ReadonlySet<string> = new Set(['content', 'definition', 'settings', 'place'])

/** Names texts by where they are: `/definition/pages/0/questions/2/title` is "Page 1, Question 3, Title". */
export function useTextNames(): (pointer: string) => string {
  const { t } = useTranslation('admin')
  return (pointer) => {
    const steps = pointer
      .replace(/^\/data\/attributes/, '')
      .split('/')
      .map((step) => step.replace('Translations', ''))
      .filter((step) => step && !CONTAINERS.has(step) && !CONTENT_LANGUAGES.some((language) => language === step))
    return steps
      .flatMap((step, at) => {
        if (/^\d+$/.test(step)) return []
        const next = steps[at + 1] ?? ''
        return /^\d+$/.test(next)
          ? [t(`text-lists.${step}`, { number: Number(next) + 1, defaultValue: t('text-lists.other', { number: Number(next) + 1 }) })]
          : [t(`text-fields.${step}`, { defaultValue: t('text-fields.other') })]
      })
      .join(', ')
  }
}
