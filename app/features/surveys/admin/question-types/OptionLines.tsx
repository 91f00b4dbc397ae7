import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getLanguageName } from '#app/lib/language-names.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { TextAreaInput } from '#app/ui/admin/inputs.tsx'
import { MAX_LISTED_OPTIONS } from '../../questionnaire/question-types/question-parts.schema.ts'
import type { Option } from '../../surveys.schema.ts'
import { createItemId } from '../editor/definition-edits.ts'
import { formatOptionLines, listLines, readOptionLines, readTranslatedLines } from './option-lines.ts'

interface OptionLinesProps {
  options: readonly Option[]
  onChange: (options: Option[], key?: string) => void
  language: ContentLanguage
  messageOf: (field: string) => string | undefined
  /** It has just become so long, and the cursor was in it. */
  isJustOpened: boolean
}

/** A long list of options as text. Other languages have the same lines, beside those of the site's own. */
export function OptionLines({ options, onChange, language, messageOf, isJustOpened }: OptionLinesProps) {
  const { t } = useTranslation('survey-admin')
  const format = useFormat()
  const { locale } = useSite()
  const isOwn = language === locale
  const stored = formatOptionLines(options, language)
  // As typed: an empty line is no option yet.
  const [typed, setTyped] = useState({ text: stored, stored, language })
  const isCurrent = typed.language === language && typed.stored === stored
  const text = isCurrent ? typed.text : stored
  const field = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (isJustOpened) field.current?.querySelector('textarea')?.focus()
  }, [isJustOpened])
  const change = (next: string) => {
    const changed = isOwn
      ? readOptionLines(next, options, language, (label) => ({ id: createItemId('o'), label: { [language]: label } }))
      : readTranslatedLines(next, options, language)
    const limited = changed.slice(0, MAX_LISTED_OPTIONS)
    setTyped({ text: next, stored: formatOptionLines(limited, language), language })
    onChange(limited, `options.${language}`)
  }
  const offered = options.filter((option) => !option.removed)
  const written = listLines(text).filter((line) => line.trim()).length
  const excess = written > offered.length ? written - offered.length : 0
  const untold = offered.filter((option) => !option.label[language]?.trim()).length
  const ruled = offered.filter((option) => option.showIf || option.other).length
  return (
    <div ref={field}>
      <TextAreaInput
        name="options"
        label={t('options.title')}
        hint={
          <>
            {isOwn ? t('options.lines-hint') : t('options.lines-translated', { language: getLanguageName(locale) })}
            {isOwn && ruled > 0 && <> {t('options.lines-ruled', { count: ruled, number: format.number(ruled) })}</>}
          </>
        }
        value={text}
        onChange={change}
        rows={14}
        language={language}
        error={
          messageOf('options') ??
          (excess > 0
            ? t('options.lines-excess', { count: excess, number: format.number(excess), max: format.number(MAX_LISTED_OPTIONS) })
            : undefined)
        }
      />
      <p className="meta">
        {t('options.lines-count', { count: offered.length, number: format.number(offered.length) })}
        {untold > 0 &&
          ` · ${t('options.lines-untold', { count: untold, number: format.number(untold), language: getLanguageName(language) })}`}
      </p>
    </div>
  )
}
