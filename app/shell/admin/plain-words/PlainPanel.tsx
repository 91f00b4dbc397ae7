import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { ContentLanguage } from '#app/lib/languages.ts'
import type { PlainFinding, PlainPassage } from '#app/lib/plain-words/plain-passage.ts'
import { useFormat } from '../../use-format.ts'
import { nameFinding, readDismissed, storeDismissed } from './dismissed-findings.ts'
import { usePlainFindings } from './use-plain-findings.ts'

interface PlainPanelProps {
  passages: readonly PlainPassage[]
  /** The language that they are written in. */
  language: ContentLanguage
}

/** Points out what could be plainer in the texts above. It never prevents anything, and says nothing by itself to people who use a screen reader. */
export function PlainPanel({ passages, language }: PlainPanelProps) {
  const { t } = useTranslation('plain-words')
  const format = useFormat()
  const found = usePlainFindings(passages, language)
  const [dismissed, setDismissed] = useState(readDismissed)
  const summary = useRef<HTMLElement>(null)
  const shown = (found ?? []).filter((finding) => !dismissed.includes(nameFinding(finding, language)))
  const dismiss = (finding: PlainFinding) => {
    const names = [...dismissed, nameFinding(finding, language)]
    setDismissed(names)
    storeDismissed(names)
    // The button is gone with its finding.
    summary.current?.focus()
  }
  const explain = ({ code, quote, count = 0, against = 0 }: PlainFinding) =>
    t(`findings.${code}`, { quote, number: format.number(count), against: format.number(against) })
  return (
    <details className="plain-words">
      <summary ref={summary}>
        {t('title')}
        {found && <span className="plain-words-count">{shown.length > 0 ? t('found', { count: shown.length }) : t('none')}</span>}
      </summary>
      <p className="field-hint">{t('about')}</p>
      {shown.length > 0 && (
        <ul>
          {shown.map((finding) => (
            <li key={`${finding.field} ${nameFinding(finding, language)}`}>
              <p>{explain(finding)}</p>
              {finding.code !== 'jargon' && (
                <blockquote lang={language} dir={getDirection(language)}>
                  <p>{finding.quote}</p>
                </blockquote>
              )}
              <p className="plain-words-actions">
                <button type="button" className="link-button" onClick={() => focusField(finding.field, language)}>
                  {t('change')}
                </button>
                <button type="button" className="link-button" onClick={() => dismiss(finding)}>
                  {t('dismiss')}
                </button>
              </p>
            </li>
          ))}
        </ul>
      )}
    </details>
  )
}

/** A field without a language has its name alone. */
const focusField = (field: string, language: ContentLanguage): void =>
  (document.getElementById(`${field}.${language}`) ?? document.getElementById(field))?.focus()
