import { type ErrorComponentProps, Link, useLocation } from '@tanstack/react-router'
import type { i18n } from 'i18next'
import { use } from 'react'
import { useTranslation } from 'react-i18next'
import { AppError, isAppError } from '#app/lib/app-error.ts'
import { getButtonClass, ButtonLink } from '#app/ui/button.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { findRequestId } from './faults.ts'
import { toLocalHref } from './language-rewrite.ts'
import { ErrorPageLinks } from './error-page-links.ts'

type ErrorKind = 'not-found' | 'forbidden' | 'sign-in' | 'gone' | 'internal' | 'unavailable'

const STATUS_BY_KIND: Record<ErrorKind, number> = {
  'sign-in': 401,
  forbidden: 403,
  'not-found': 404,
  gone: 410,
  internal: 500,
  unavailable: 503,
}

function toErrorKind(error: unknown): ErrorKind {
  const status = isAppError(error) ? error.status : 500
  return (Object.keys(STATUS_BY_KIND) as ErrorKind[]).find((kind) => STATUS_BY_KIND[kind] === status) ?? 'internal'
}

export const getErrorTitle = (i18n: i18n, error: unknown): string => i18n.t(`error-page.${toErrorKind(error)}.title`)

type FailedProps = Pick<ErrorComponentProps, 'error'>

/** Shown within the layout instead of a page that failed: what happened, in the page's language, and what to do next. */
export function PageError({ error }: FailedProps) {
  return <ErrorPage kind={toErrorKind(error)} requestId={findRequestId(error)} />
}

/** The same if the layout itself failed. */
export const StandaloneError = ({ error }: FailedProps) => (
  <main id="main" tabIndex={-1}>
    <PageError error={error} />
  </main>
)

export const StandaloneNotFound = () => <StandaloneError error={new AppError('not-found')} />

function ErrorPage({ kind, requestId }: { kind: ErrorKind; requestId?: string | undefined }) {
  const { t } = useTranslation()
  const { publicHref } = useLocation()
  const onward = use(ErrorPageLinks)
  return (
    <div className="wrap page error-page">
      <div>
        <PageTitle title={t(`error-page.${kind}.title`)} lead={t(`error-page.${kind}.text`)} />
        {requestId && <p>{t('request-id', { id: requestId })}</p>}
        <p className="row">
          <NextStep kind={kind} here={publicHref} />
          <Link to="/" className={getButtonClass({ kind: 'secondary' })}>
            {t('home')}
          </Link>
        </p>
        {onward}
      </div>
      <Picture kind={kind} />
    </div>
  )
}

/** The action most likely to help. */
function NextStep({ kind, here }: { kind: ErrorKind; here: string }) {
  const { t } = useTranslation()
  if (kind === 'internal' || kind === 'unavailable') return <ButtonLink href={here}>{t('try-again')}</ButtonLink>
  if (kind === 'sign-in')
    return <ButtonLink href={`${toLocalHref('/sign-in')}?next=${encodeURIComponent(here)}`}>{t('sign-in')}</ButtonLink>
  return (
    <Link to="/projects" className={getButtonClass()}>
      {t('see-projects')}
    </Link>
  )
}

/** Two speech bubbles at cross purposes: one asks, the other has nothing to say yet. */
const Picture = ({ kind }: { kind: ErrorKind }) => (
  <svg className="error-page-picture" viewBox="0 0 320 260" aria-hidden="true">
    <path d="M52 24h150a44 44 0 0 1 44 44v62a44 44 0 0 1-44 44H8V68a44 44 0 0 1 44-44Z" fill="currentColor" opacity=".13" />
    <path
      d="M166 96h102a40 40 0 0 1 40 40v92H166a40 40 0 0 1-40-40v-52a40 40 0 0 1 40-40Z"
      fill="var(--card)"
      stroke="currentColor"
      strokeWidth="3"
    />
    <text x="217" y="182" textAnchor="middle" fill="currentColor" className="error-page-number">
      {STATUS_BY_KIND[kind]}
    </text>
  </svg>
)
