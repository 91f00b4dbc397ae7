import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useSite } from '#app/shell/page-state.tsx'
import { getButtonClass } from '#app/ui/button.tsx'
import type { ProviderLink, SignInOptions } from './identity.schema.ts'

const buildStartHref = ({ id }: ProviderLink, next: string | undefined): string =>
  toLocalHref(`/sign-in/${id}`) + (next === undefined ? '' : `?${new URLSearchParams({ next }).toString()}`)

/** Ways to sign in with an account elsewhere. Plain links: each leads through the server to another site. */
export function ProviderLinks({
  options: { providers, hasStaffPage },
  next,
  aboveForm = false,
}: {
  options: SignInOptions
  next?: string | undefined
  /** The form for a password follows. */
  aboveForm?: boolean
}) {
  const { t } = useTranslation('identity')
  const site = useSite()
  return (
    <>
      {providers.map((provider) => (
        <p key={provider.id}>
          <a href={buildStartHref(provider, next)} className={getButtonClass({ kind: 'secondary' })} rel="nofollow">
            {t('with', { name: provider.name })}
          </a>
        </p>
      ))}
      {hasStaffPage && (
        <p>
          <Link reloadDocument to="/sign-in/staff" search={next ? { next } : {}}>
            {t('staff.link', { site: site.name })}
          </Link>
        </p>
      )}
      {aboveForm && providers.length > 0 && <p>{t('or')}</p>}
    </>
  )
}
