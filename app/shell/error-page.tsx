import { type ErrorComponentProps, Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { isAppError } from '#app/lib/app-error.ts'
import { buttonClass } from '#app/ui/button.tsx'
import { requestIdOf } from './faults.ts'

type Kind = 'not-found' | 'forbidden' | 'sign-in' | 'gone' | 'internal' | 'unavailable'

const KINDS: Record<number, Kind> = { 401: 'sign-in', 403: 'forbidden', 404: 'not-found', 410: 'gone', 503: 'unavailable' }

/** What a page shows in place of what failed: said in the page's language, with what to do next. */
export function PageError({ error }: Pick<ErrorComponentProps, 'error'>) {
  const kind = (isAppError(error) && KINDS[error.status]) || 'internal'
  return <ErrorPage kind={kind} requestId={requestIdOf(error)} />
}

export const PageNotFound = () => <ErrorPage kind="not-found" />

function ErrorPage({ kind, requestId }: { kind: Kind; requestId?: string | undefined }) {
  const { t } = useTranslation()
  const { publicHref } = useLocation()
  const mayPass = kind === 'internal' || kind === 'unavailable'
  return (
    <main id="main" tabIndex={-1} className="wrap page-title">
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
    </main>
  )
}
