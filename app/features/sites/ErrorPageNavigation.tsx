import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { SearchField } from '#app/ui/text-field.tsx'

/** Ways on from an error page: a search form and the main links. */
export function ErrorPageNavigation() {
  const { t } = useTranslation('participant')
  return (
    <div className="stack ways-onward">
      <search>
        <form method="get" action={toLocalHref('/search')}>
          <SearchField
            name="q"
            id="onward-search"
            label={t('error.search')}
            placeholder={t('search.placeholder')}
            button={t('site.search')}
          />
        </form>
      </search>
      <nav aria-labelledby="onward">
        <h2 id="onward" className="list-count">
          {t('error.onward')}
        </h2>
        <ul className="ways-onward-links">
          <li>
            <Link to="/projects" search={{ status: 'open' }}>
              {t('home.see-open')}
            </Link>
          </li>
          <li>
            <Link to="/projects" search={{ status: 'results' }}>
              {t('home.results')}
            </Link>
          </li>
          <li>
            <Link to="/hubs">{t('hubs.title')}</Link>
          </li>
        </ul>
      </nav>
    </div>
  )
}
