import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { HomeArea } from '#app/features/areas/areas.schema.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import type { AccountView } from './accounts.schema.ts'
import type { CompletedAction } from './accounts.search.ts'
import { useSubmittedForm } from './use-submitted-form.ts'

interface AccountPageProps {
  account: AccountView
  /** Null if the site does not send text messages. */
  phone: { phone: string | null } | null
  /** Null if the site has no areas. */
  home: HomeArea | null
  /** The site asks questions about the person, or holds answers to some. */
  isAskedAboutSelf: boolean
  form: FormState | null
  done?: CompletedAction | undefined
  /** What happened to what the person sent to activities. */
  notifications: ReactNode
}

/** Account overview. Each entry links to the page that changes it. */
export function AccountPage({ account, phone, home, isAskedAboutSelf, form, done, notifications }: AccountPageProps) {
  const { t } = useTranslation('account')
  const format = useFormat()
  const { errors } = useSubmittedForm(form, {})
  const summary = <ErrorSummary title={t('problem')} errors={errors} />
  const explainRefusal: ExplainRefusal = (name) => form?.form === name && summary
  const forms: Record<string, boolean> = { download: true, resend: !account.confirmed, 'cancel-email': account.pendingEmail !== null }
  const notice = done && !form ? <Notice kind="success">{t(`done.${done}`)}</Notice> : null
  return (
    <div className="page wrap-narrow stack">
      {notice}
      <PageTitle title={t('account.title')} lead={t('account.since', { date: format.date(account.createdAt) })} />
      {/* What was asked for is over meanwhile, so its button is gone. */}
      {form && !forms[form.form] && summary}
      {!account.confirmed && <UnconfirmedEmail email={account.email} refusal={explainRefusal('resend')} />}
      {notifications}
      <Section title={t('account.you')}>
        <AccountFacts account={account} phone={phone} home={home} explainRefusal={explainRefusal} />
      </Section>
      {isAskedAboutSelf && (
        <Section title={t('about-you.title')}>
          <p>{t('about-you.text')}</p>
          <p>
            <Link to="/account/about-you" className={getButtonClass({ kind: 'secondary' })}>
              {t('about-you.link')}
            </Link>
          </p>
        </Section>
      )}
      <Section title={t('account.answers')}>
        <p>{t('account.answers-text')}</p>
        <p>
          <Link to="/account/answers" className={getButtonClass({ kind: 'secondary' })}>
            {t('account.answers-link')}
          </Link>
        </p>
      </Section>
      <Section title={t('account.contributions')}>
        <p>{t('account.contributions-text')}</p>
        <p>
          <Link to="/account/contributions" className={getButtonClass({ kind: 'secondary' })}>
            {t('account.contributions-link')}
          </Link>
        </p>
      </Section>
      <Section title={t('account.devices')}>
        <p>{t('account.devices-text')}</p>
        <div className="row">
          <Link to="/account/devices" className={getButtonClass({ kind: 'secondary' })}>
            {t('account.devices-link')}
          </Link>
          <form method="post" action={toLocalHref('/sign-out')}>
            <Button type="submit" kind="secondary">
              {t('account.sign-out')}
            </Button>
          </form>
        </div>
      </Section>
      <Section title={t('account.sign-in-methods')}>
        <p>{t('account.sign-in-methods-text')}</p>
        <p>
          <Link to="/account/sign-in-methods" className={getButtonClass({ kind: 'secondary' })}>
            {t('account.sign-in-methods-link')}
          </Link>
        </p>
      </Section>
      <Section title={t('account.data')}>
        <p>{t('account.data-text')}</p>
        {explainRefusal('download')}
        <SmallForm name="download" button={t('account.download')} />
        <p>
          {t('account.delete-text')} <Link to="/account/delete">{t('account.delete')}</Link>
        </p>
      </Section>
    </div>
  )
}

/** Why one of the page's small forms was refused, for the place beside its button. */
type ExplainRefusal = (name: 'resend' | 'cancel-email' | 'download') => ReactNode

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="stack mt-6">
      <h2 className="text-step-2">{title}</h2>
      {children}
    </section>
  )
}

type AccountFactsProps = Pick<AccountPageProps, 'account' | 'phone' | 'home'> & { explainRefusal: ExplainRefusal }

function AccountFacts({ account, phone, home, explainRefusal }: AccountFactsProps) {
  const { t } = useTranslation('account')
  const { languageNames } = useSite()
  return (
    <DefinitionList
      items={[
        {
          term: t('account.name'),
          value: account.login,
          action: (
            <Link to="/account/profile" aria-label={t('account.change-name')}>
              {t('account.change')}
            </Link>
          ),
        },
        {
          term: t('account.email'),
          value: <Email account={account} refusal={explainRefusal('cancel-email')} />,
          action: (
            <Link to="/account/email" aria-label={t('account.change-email')}>
              {t('account.change')}
            </Link>
          ),
        },
        ...(phone
          ? [
              {
                term: t('account.phone'),
                value: phone.phone ?? t('account.phone-none'),
                action: (
                  <Link to="/account/phone" aria-label={t('account.change-phone')}>
                    {t('account.change')}
                  </Link>
                ),
              },
            ]
          : []),
        ...(home
          ? [
              {
                term: t('account.area'),
                value: home.areas.find(({ id }) => id === home.chosen)?.name ?? t('account.area-none'),
                action: (
                  <Link to="/account/area" aria-label={t('account.change-area')}>
                    {t('account.change')}
                  </Link>
                ),
              },
            ]
          : []),
        {
          term: t('account.password'),
          value: t('account.password-hidden'),
          action: (
            <Link to="/account/password" aria-label={t('account.change-password')}>
              {t('account.change')}
            </Link>
          ),
        },
        {
          term: t('two-step.title'),
          value: t(account.hasSecondStep ? 'two-step.on' : 'two-step.off'),
          action: (
            <Link to="/account/two-step" aria-label={t('two-step.change')}>
              {t('account.change')}
            </Link>
          ),
        },
        {
          term: t('account.locale'),
          value: languageNames[account.locale] ?? account.locale,
          action: (
            <Link to="/account/profile" hash="locale" aria-label={t('account.change-locale')}>
              {t('account.change')}
            </Link>
          ),
        },
        {
          term: t('account.marketing'),
          value: t(account.marketingConsent ? 'account.marketing-yes' : 'account.marketing-no'),
          action: (
            <Link to="/account/profile" hash="marketingConsent" aria-label={t('account.change-marketing')}>
              {t('account.change')}
            </Link>
          ),
        },
        {
          term: t('account.follows'),
          value: t(`follows.${account.followMails}`),
          action: (
            <Link to="/account/follows" aria-label={t('account.change-follows')}>
              {t('account.change')}
            </Link>
          ),
        },
      ]}
    />
  )
}

function Email({ account, refusal }: { account: AccountView; refusal: ReactNode }) {
  const { t } = useTranslation('account')
  return (
    <>
      <p>{account.email}</p>
      <p className="meta">{t(account.confirmed ? 'account.email-confirmed' : 'account.email-unconfirmed')}</p>
      {account.pendingEmail && (
        <>
          <p className="meta">{t('account.email-pending', { email: account.pendingEmail })}</p>
          {refusal}
          <SmallForm name="cancel-email" button={t('account.cancel-change')} size="small" />
        </>
      )}
    </>
  )
}

function UnconfirmedEmail({ email, refusal }: { email: string; refusal: ReactNode }) {
  const { t } = useTranslation('account')
  return (
    <Notice kind="warning" title={t('account.unconfirmed-title')}>
      <p>{t('account.unconfirmed-text', { email })}</p>
      {refusal}
      <SmallForm name="resend" button={t('account.resend')} size="small" />
    </Notice>
  )
}

function SmallForm({ name, button, size = 'medium' }: { name: string; button: string; size?: 'medium' | 'small' }) {
  return (
    <form method="post" action={toLocalHref('/account')}>
      <input type="hidden" name="form" value={name} />
      <Button type="submit" kind="secondary" size={size}>
        {button}
      </Button>
    </form>
  )
}
