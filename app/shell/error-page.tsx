import { type ErrorComponentProps, Link, useLocation } from '@tanstack/react-router'
import type { i18n } from 'i18next'
import { useTranslation } from 'react-i18next'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { requestIdOf } from './faults.ts'

type Kind = 'not-found' | 'forbidden' | 'sign-in' | 'gone' | 'internal' | 'unavailable'

const KINDS: Record<number, Kind> = { 401: 'sign-in', 403: 'forbidden', 404: 'not-found', 410: 'gone', 503: 'unavailable' }

const kindOf = (error: unknown): Kind => (isAppError(error) && KINDS[error.status]) || 'internal'

/** Title of the page that is shown in place of what failed. */
export const errorTitle = (i18n: i18n, error: unknown): string => i18n.t(`error-page.${kindOf(error)}.title`)

type Failed = Pick<ErrorComponentProps, 'error'>

/** What a page shows in place of what failed, within its layout: said in the page's language, with what to do next. */
export function PageError({ error }: Failed) {
  return <ErrorPage kind={kindOf(error)} requestId={requestIdOf(error)} />
}

/** The same where the layout itself could not be shown. */
export const LoneError = ({ error }: Failed) => (
  <main id="main" tabIndex={-1}>
    <PageError error={error} />
  </main>
)

export const LoneNotFound = () => <LoneError error={new AppError('not-found')} />

function ErrorPage({ kind, requestId }: { kind: Kind; requestId?: string | undefined }) {
  const { t } = useTranslation()
  const { publicHref } = useLocation()
  const mayPass = kind === 'internal' || kind === 'unavailable'
  return (
    <div className="wrap page-title">
      <h1>{t(`error-page.${kind}.title`)}</h1>
      <p className="lead">{t(`error-page.${kind}.text`)}</p>
      {requestId && <p>{t('request-id', { id: requestId })}</p>}
      <p>
        {mayPass && (
          <a href={publicHref} className={buttonClass()}>
            {t('try-again')}
          </a>
        )}{' '}
        <Link to="/" className={buttonClass({ kind: mayPass ? 'secondary' : 'primary' })}>
          {t('home')}
        </Link>
      </p>
    </div>
  )
}
