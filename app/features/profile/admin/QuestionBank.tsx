import { useTranslation } from 'react-i18next'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { Badge } from '#app/ui/admin/badge.tsx'
import { Dialog } from '#app/ui/admin/dialog.tsx'
import { Button } from '#app/ui/button.tsx'
import { STANDARD_PLACES, type StandardQuestion } from '../bank/standard-question.ts'
import { STANDARD_QUESTIONS } from '../bank/standard-questions.ts'

interface QuestionBankProps {
  /** Keys that questions of the site have already. */
  taken: readonly string[]
  onChoose: (question: StandardQuestion) => void
  onClose: () => void
}

/** Questions as census offices word them. One that is chosen opens in the editor, as a draft that can be changed like any other. */
export function QuestionBank({ taken, onChoose, onClose }: QuestionBankProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  return (
    <Dialog title={t('bank.title')} isOpen onClose={onClose} closeLabel={admin('nav.close-dialog')} size="large">
      <div className="admin-stack">
        <p>{t('bank.about')}</p>
        {STANDARD_PLACES.map((place) => (
          <section key={place} aria-labelledby={`bank-${place}`}>
            <h3 id={`bank-${place}`}>{t(`bank.places.${place}`)}</h3>
            <p className="meta">{t(`bank.sources.${place}`)}</p>
            <ul className="admin-list">
              {STANDARD_QUESTIONS.filter((question) => question.place === place).map((question) => (
                <li key={question.key} className="admin-panel">
                  <BankQuestion question={question} isTaken={taken.includes(question.key)} onChoose={() => onChoose(question)} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  )
}

function BankQuestion({ question, isTaken, onChoose }: { question: StandardQuestion; isTaken: boolean; onChoose: () => void }) {
  const { t } = useTranslation('people')
  const site = useSite()
  const format = useFormat()
  const language = useLanguage()
  const label = getTranslation(question.label, language, site.locale)
  const translated = site.languages.filter((one) => question.origin !== 'parley' && !question.published.includes(one))
  return (
    <div className="grid w-full gap-2">
      <strong>{label}</strong>
      {question.options.length > 0 && (
        <p className="meta">{question.options.map((option) => getTranslation(option.label, language, site.locale)).join(' · ')}</p>
      )}
      <div className="row">
        <Badge hollow>{t(`questions.kinds.${question.kind}`)}</Badge>
        {question.sensitive && <Badge tone="warn">{t('questions.sensitive')}</Badge>}
        {question.isAdapted && <span className="meta">{t('bank.adapted')}</span>}
        {translated.length > 0 && (
          <span className="meta">{t('bank.translated', { languages: format.list(translated.map((one) => LANGUAGE_NAMES[one])) })}</span>
        )}
      </div>
      <div className="row">
        {isTaken ? (
          <span className="meta">{t('bank.taken')}</span>
        ) : (
          <Button kind="secondary" size="small" onClick={onChoose}>
            {t('bank.use')}
            <span className="visually-hidden"> {label}</span>
          </Button>
        )}
      </div>
    </div>
  )
}
