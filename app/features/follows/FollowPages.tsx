import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormAction } from '#app/shell/use-form-action.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { ErrorSummary } from '#app/ui/error-summary.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { TextField } from '#app/ui/text-field.tsx'
import type { EmailFollow, FollowTarget } from './follows.schema.ts'

interface FollowPageProps {
  /** The project to follow. */
  target: FollowTarget | null
  /** What the emailed link confirms; without either, the link has expired. */
  link: EmailFollow | null
  form: FormState | null
  /** The link was emailed just now. */
  isSent: boolean
  /** Where to. */
  mailed: string | null
}

/** Follows a project by email address, without an account. */
export function FollowPage({ target, link, form, isSent, mailed }: FollowPageProps) {
  const { t } = useTranslation('account')
  const viewer = useViewer()
  if (link) return link.isFollowing ? <Following link={link} /> : <ConfirmFollow link={link} />
  if (!target) {
    return (
      <div className="page wrap-narrow stack">
        <PageTitle title={t('follow.expired')} lead={t('follow.expired-text')} />
        <p className="form-actions">
          <Link to="/projects" className={getButtonClass()}>
            {t('unfollow.projects')}
          </Link>
        </p>
      </div>
    )
  }
  if (viewer) return <FollowWithAccount target={target} />
  return isSent && !form ? <MailSent target={target} mailed={mailed} /> : <AddressForm target={target} form={form} />
}

function AddressForm({ target, form }: { target: FollowTarget; form: FormState | null }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  const error = useAddressFault(form)
  const typed = form?.values['email']
  const next = toLocalHref(`/follow?${new URLSearchParams({ project: target.slug })}`)
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('follow.title')} lead={t('follow.lead', { project: target.title.text })} />
      {error && <ErrorSummary title={t('problem')} errors={[{ id: 'email', message: error }]} />}
      <form method="post" action={action} className="form" noValidate>
        <TextField
          name="email"
          type="email"
          inputMode="email"
          autoComplete="email"
          label={t('fields.email')}
          hint={t('follow.hint')}
          error={error}
          defaultValue={typeof typed === 'string' ? typed : undefined}
          required
        />
        <div className="form-actions">
          <Button type="submit">{t('follow.button')}</Button>
          <ProjectLink target={target} />
        </div>
        <p className="form-promise">{t('follow.promise')}</p>
      </form>
      <p>
        {t('register.have-account')}{' '}
        <Link to="/sign-in" search={{ next }}>
          {t('follow.sign-in')}
        </Link>
      </p>
    </div>
  )
}

function useAddressFault(form: FormState | null): string | undefined {
  const { t } = useTranslation('account')
  const fault = form?.faults[0]
  if (!fault) return form ? t('follow.failed') : undefined
  if (fault.code === 'required') return t('faults.email-required')
  if (fault.code === 'not-an-email') return t('faults.email-format')
  const minutes = fault.values?.['minutes']
  return typeof minutes === 'number' ? t('wait.minutes', { count: minutes }) : t('follow.failed')
}

function MailSent({ target, mailed }: { target: FollowTarget; mailed: string | null }) {
  const { t } = useTranslation('account')
  const project = target.title.text
  return (
    <div className="page wrap-narrow stack">
      <PageTitle
        title={t('follow.sent')}
        lead={mailed ? t('follow.sent-text-to', { project, email: mailed }) : t('follow.sent-text', { project })}
      />
      <p>{t('check-mail.nothing')}</p>
      <p className="form-actions">
        <Link to="/projects/$slug" params={{ slug: target.slug }} className={getButtonClass()}>
          {t('follow.project')}
        </Link>
        <Link to="/follow" search={{ project: target.slug }}>
          {t('check-mail.again')}
        </Link>
      </p>
    </div>
  )
}

/** It asks before it acts, because mail scanners open links too. */
function ConfirmFollow({ link }: { link: EmailFollow }) {
  const { t } = useTranslation('account')
  const action = useFormAction()
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('follow.confirm')} lead={t('follow.confirm-text', { project: link.title.text, email: link.email })} />
      <form method="post" action={action}>
        <Button type="submit">{t('follow.confirm-button')}</Button>
      </form>
    </div>
  )
}

function Following({ link }: { link: EmailFollow }) {
  const { t } = useTranslation('account')
  return (
    <div className="page wrap-narrow stack">
      <PageTitle title={t('follow.done', { project: link.title.text })} lead={t('follow.done-text', { email: link.email })} />
      <p className="form-actions">
        <Link to="/projects/$slug" params={{ slug: link.slug }} className={getButtonClass()}>
          {t('follow.project')}
        </Link>
      </p>
    </div>
  )
}

function FollowWithAccount({ target }: { target: FollowTarget }) {
  const { t } = useTranslation('account')
  const project = target.title.text
  return (
    <div className="page wrap-narrow stack">
      <PageTitle
        title={target.isFollowing ? t('follow.done', { project }) : t('follow.title')}
        lead={target.isFollowing ? undefined : t('follow.lead', { project })}
      />
      <form method="post" action={toLocalHref(`/projects/${target.slug}`)} className="form-actions">
        {!target.isFollowing && (
          <Button type="submit" name="following" value="yes">
            {t('follow.confirm-button')}
          </Button>
        )}
        <ProjectLink target={target} />
      </form>
    </div>
  )
}

function ProjectLink({ target }: { target: FollowTarget }) {
  const { t } = useTranslation('account')
  return (
    <Link to="/projects/$slug" params={{ slug: target.slug }}>
      {t('follow.project')}
    </Link>
  )
}
