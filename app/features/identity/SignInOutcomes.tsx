import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { SignInFaultCode } from '#app/lib/vocabulary/identity.ts'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Checkbox } from '#app/ui/choice-group.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Text } from '#app/ui/text.tsx'
import type { PendingSignIn, SignInOptions } from './identity.schema.ts'
import { ProviderLinks } from './ProviderLinks.tsx'

const GROUPED = {
  'started-elsewhere': 'again',
  'used-before': 'again',
  'wrong-nonce': 'again',
  expired: 'again',
  unreachable: 'down',
  'client-refused': 'untrusted',
  'wrong-issuer': 'untrusted',
  'wrong-audience': 'untrusted',
  'wrong-signature': 'untrusted',
  'not-understood': 'untrusted',
  'not-encrypted': 'encryption',
  'not-decrypted': 'encryption',
  'encryption-refused': 'encryption',
} as const satisfies Partial<Record<SignInFaultCode, string>>

const findText = (fault: SignInFaultCode) =>
  (fault in GROUPED ? GROUPED[fault as keyof typeof GROUPED] : fault) as Exclude<SignInFaultCode, keyof typeof GROUPED>

/** Why signing in failed, and what to do next. */
export function SignInFailedPage({ fault, reference }: { fault: SignInFaultCode; reference?: string | undefined }) {
  const { t } = useTranslation('identity')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('failed.title')} lead={t(`failed.texts.${findText(fault)}`)} />
      <p>
        <Link to={fault === 'staff-account' ? '/sign-in/staff' : '/sign-in'} className={getButtonClass()}>
          {t('failed.again')}
        </Link>
      </p>
      {reference && (
        <p className="meta">
          {t('failed.reference', { reference })}
          <br />
          {t('failed.reference-text')}
        </p>
      )}
    </div>
  )
}

/** The administrators were asked to let somebody in. */
export function SignInRequestedPage({ reference }: { reference?: string | undefined }) {
  const { t } = useTranslation('identity')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('requested.title')} lead={t('requested.text')} />
      <p>{t('requested.have')}</p>
      <p>
        <Link to="/sign-in" className={getButtonClass({ kind: 'secondary' })}>
          {t('failed.again')}
        </Link>
      </p>
      {reference && <p className="meta">{t('failed.reference', { reference })}</p>}
    </div>
  )
}

/** Asks before anything is linked or created. */
export function ConfirmSignInPage({ pending }: { pending: PendingSignIn | null }) {
  const { t } = useTranslation('identity')
  const action = useFormAction()
  if (!pending)
    return (
      <div className="page wrap-narrow stack">
        <PageTitle title={t('confirm.gone')} lead={t('confirm.gone-text')} />
        <p>
          <Link to="/sign-in" className={getButtonClass()}>
            {t('failed.again')}
          </Link>
        </p>
      </div>
    )
  const { kind, provider, email, name, answers } = pending
  const who = [name, email].filter((one) => one !== null)
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t(`confirm.${kind}.title`, { provider })} lead={t(`confirm.${kind}.text`, { provider })} />
      <p>{t('confirm.as', { provider })}</p>
      <p className="lead">{who.length > 0 ? who.join(' · ') : t('confirm.nameless')}</p>
      <form method="post" action={action} className="form">
        {answers.length > 0 && <ProvidedAnswers provider={provider} answers={answers} />}
        <div className="form-actions">
          <Button type="submit">{t(`confirm.${kind}.yes`)}</Button>
          <Link to={kind === 'link' ? '/account/sign-in-methods' : '/sign-in'}>{t('confirm.no')}</Link>
        </div>
      </form>
    </div>
  )
}

/** What the provider says that answers questions of the site. Nothing of it is kept unless the person ticks the box. */
function ProvidedAnswers({ provider, answers }: Pick<PendingSignIn, 'provider' | 'answers'>) {
  const { t } = useTranslation('identity')
  return (
    <section className="stack" aria-labelledby="provided-answers">
      <h2 id="provided-answers" className="text-step-2">
        {t('confirm.answers.title', { provider })}
      </h2>
      <p>{t('confirm.answers.text')}</p>
      <dl className="definitions">
        {answers.map(({ key, label, text, why }) => (
          <div key={key}>
            <dt>
              <Text words={label} />
            </dt>
            <dd>
              {text}
              <p className="meta">{why}</p>
            </dd>
          </div>
        ))}
      </dl>
      <Checkbox name="keepsAnswers" label={t('confirm.answers.keep')} hint={t('confirm.answers.keep-hint')} />
    </section>
  )
}

/** The page for people who work for the site: only its providers for the staff. */
export function StaffSignInPage({ options, next }: { options: SignInOptions; next?: string | undefined }) {
  const { t } = useTranslation('identity')
  const site = useSite()
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('staff.title')} lead={t('staff.lead', { site: site.name })} />
      <ProviderLinks options={{ providers: options.providers, hasStaffPage: false }} next={next} />
      <p>
        <Link to="/sign-in" search={next ? { next } : {}}>
          {t('staff.residents', { site: site.name })}
        </Link>
      </p>
    </div>
  )
}
