import type { MouseEvent } from 'react'
import { getColon } from '#app/lib/format.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { DEFAULT_LANGUAGE, CONTENT_LANGUAGES, matchLanguage } from '#app/lib/languages.ts'
import { ErrorSummary } from '../error-summary.tsx'
import { showField } from './show-field.ts'

interface FaultSummaryProps {
  title: string
  errors: readonly { id?: string; message: string }[]
}

/** An error summary that names each field, and the language it is in, and leads there: also to a field of a language that is not shown. */
export function FaultSummary({ title, errors }: FaultSummaryProps) {
  const leadToField = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null
    if (link?.hash) showField(decodeURIComponent(link.hash.slice(1)))
  }
  if (errors.length === 0) return null
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions, jsx-a11y/click-events-have-key-events -- the links are the controls; this only reacts to their clicks
    <div onClickCapture={leadToField}>
      <ErrorSummary
        title={title}
        errors={errors.map((error) => {
          const name = error.id && findFieldName(error.id)
          return name
            ? { ...error, message: `${name}${getColon(matchLanguage(document.documentElement.lang) ?? DEFAULT_LANGUAGE)}${error.message}` }
            : error
        })}
      />
    </div>
  )
}

/** From its own label, which was there before the fault, so that the two never differ. */
function findFieldName(id: string): string {
  const [field, language] = splitFieldId(id)
  const shown = document.getElementById(id) ?? document.querySelector(`[id^="${CSS.escape(field)}."]`)
  const label = shown && [...document.querySelectorAll('label')].find(({ htmlFor }) => htmlFor === shown.id)
  const name = label?.textContent?.trim() ?? ''
  return name && language ? `${name} (${getLanguageName(language)})` : name
}

/** `titleTranslations.fr-CA`: the field and its language. */
function splitFieldId(id: string) {
  const language = CONTENT_LANGUAGES.find((code) => id.endsWith(`.${code}`))
  return [language ? id.slice(0, -language.length - 1) : id, language] as const
}
