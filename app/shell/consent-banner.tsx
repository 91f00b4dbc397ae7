import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, useLocation } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Button } from '#app/ui/button.tsx'
import { toLocalHref } from './language-rewrite.ts'
import { consentQuery } from './page-state.queries.ts'
import { useAsksConsent } from './use-services.ts'

/** Do not interrupt administration, previews and embeds; the cookies page itself offers the choice. */
const PATHS_WITHOUT_BANNER = /^\/(admin|live-preview|embed|cookies)(\/|$)/

/** Asks once, if the site requires consent and there is something to consent to. Covers nothing; both answers have equal weight. */
export function ConsentBanner() {
  const { t } = useTranslation()
  const asks = useAsksConsent()
  const { choice } = useSuspenseQuery(consentQuery).data
  const { pathname, publicHref } = useLocation()
  if (!asks || choice || PATHS_WITHOUT_BANNER.test(pathname)) return null
  return (
    <section className="consent" aria-labelledby="consent-title">
      <form className="wrap consent-row" method="post" action={toLocalHref('/cookies')}>
        <input type="hidden" name="back" value={publicHref} />
        <div className="consent-words">
          <h2 id="consent-title">{t('cookies.ask')}</h2>
          <p>
            {t('cookies.ask-text')} <Link to="/cookies">{t('cookies.details')}</Link>
          </p>
        </div>
        <div className="consent-answers">
          <Button type="submit" kind="secondary" size="small" name="consent" value="granted">
            {t('cookies.accept')}
          </Button>
          <Button type="submit" kind="secondary" size="small" name="consent" value="denied">
            {t('cookies.decline')}
          </Button>
        </div>
      </form>
    </section>
  )
}
