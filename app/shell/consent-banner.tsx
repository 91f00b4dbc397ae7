import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { localHref } from './language-rewrite.ts'
import { useSite } from './page-state.tsx'
import { consentQuery } from './page-state.queries.ts'

/** Asks once, where the site asks at all: part of the page, covers nothing, and both answers weigh the same. */
export function ConsentBanner() {
  const { t } = useTranslation()
  const { consentRequired } = useSite()
  const { choice } = useSuspenseQuery(consentQuery).data
  const { pathname, publicHref } = useLocation()
  if (!consentRequired || choice || pathname === '/cookies') return null
  return (
    <section className="consent" aria-labelledby="consent-title">
      <form className="wrap consent-body" method="post" action={localHref('/cookies')}>
        <input type="hidden" name="back" value={publicHref} />
        <h2 id="consent-title">{t('cookies.ask')}</h2>
        <p>
          {t('cookies.ask-text')} <Link to="/cookies">{t('cookies.details')}</Link>
        </p>
        <p className="row">
          <Button size="small" name="consent" value="granted">
            {t('cookies.accept')}
          </Button>
          <Button size="small" name="consent" value="denied">
            {t('cookies.decline')}
          </Button>
        </p>
      </form>
    </section>
  )
}
