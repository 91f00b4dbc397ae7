import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useViewer } from '#app/shell/page-state.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { installationsQuery, integrationsQuery } from '../marketplace.queries.ts'
import { CATEGORIES } from '../marketplace.schema.ts'
import { StateBadge } from './StateBadge.tsx'

/** All integrations, with their state on this site. */
export function Catalogue() {
  const { t } = useTranslation('marketplace')
  const integrations = useSuspenseQuery(integrationsQuery).data.data
  // Platform administrators see the catalogue only; installations belong to the site.
  const ofSite = useViewer()?.roleName === 'site_admin'
  const installations = useQuery({ ...installationsQuery, enabled: ofSite }).data?.data ?? []
  return (
    <div className="admin-stack">
      <PageHeader title={t('title')} meta={t('text')} />
      {CATEGORIES.map((category) => {
        const shown = integrations.filter((one) => one.category === category)
        if (shown.length === 0) return null
        return (
          <section key={category} className="admin-stack">
            <h2>{t(`categories.${category}`)}</h2>
            <ul className="catalogue">
              {shown.map(({ id, name, does, setUpAt }) => (
                <li key={id} className="admin-panel">
                  <div className="catalogue-head">
                    <h3>
                      {setUpAt ? (
                        <a href={setUpAt}>{name}</a>
                      ) : (
                        <Link to="/admin/marketplace/$id" params={{ id }}>
                          {name}
                        </Link>
                      )}
                    </h3>
                    {ofSite && !setUpAt && <StateBadge installation={installations.find(({ integration }) => integration === id)} />}
                  </div>
                  <p>{does}</p>
                </li>
              ))}
            </ul>
          </section>
        )
      })}
    </div>
  )
}
