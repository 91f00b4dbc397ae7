import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { getButtonClass } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { AccountSection } from '../AccountForms.tsx'

/** New recovery codes in the answer to a form, if it made any. */
export function findShownCodes(form: FormState | null): readonly string[] | undefined {
  const codes = form?.faults.length === 0 ? form.values['codes'] : undefined
  return Array.isArray(codes) ? codes : undefined
}

/** @param props.next where to go on, if it is not the page about two-step sign-in */
export function NewRecoveryCodes({ codes, next }: { codes: readonly string[]; next?: string | undefined }) {
  const { t } = useTranslation('account')
  return (
    <AccountSection title={t('two-step.codes-new')} lead={t('two-step.codes-text')}>
      <Notice kind="warning">{t('two-step.codes-once')}</Notice>
      <ul className="recovery-codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <p>
        {next === undefined ? (
          <Link to="/account/two-step" search={{ done: 'codes-kept' }} className={getButtonClass()} reloadDocument>
            {t('two-step.codes-kept')}
          </Link>
        ) : (
          <a href={next} className={getButtonClass()}>
            {t('two-step.codes-kept')}
          </a>
        )}
      </p>
    </AccountSection>
  )
}
