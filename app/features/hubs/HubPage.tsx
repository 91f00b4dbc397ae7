import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { Breadcrumbs } from '#app/ui/breadcrumbs.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { Icon } from '#app/ui/icon.tsx'
import { PageTitle, SectionHead } from '#app/ui/page.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Text } from '#app/ui/text.tsx'
import type { HubCardView, HubView } from './hubs.schema.ts'
import { HubTile } from './HubTile.tsx'

export function HubListPage({ hubs }: { hubs: readonly HubCardView[] }) {
  const { t } = useTranslation('participant')
  return (
    <div className="page wrap">
      <PageTitle title={t('hubs.title')} lead={t('hubs.lead')} />
      {hubs.length === 0 ? (
        <EmptyState title={t('hubs.none')} />
      ) : (
        <div className="card-grid">
          {hubs.map((hub) => (
            <HubTile key={hub.id} hub={hub} level={2} />
          ))}
        </div>
      )}
    </div>
  )
}

/** A hub's page: description, contact details and project cards, which the projects feature renders. */
export function HubPage({ hub, cards }: { hub: HubView; cards: readonly ReactNode[] }) {
  const { t } = useTranslation('participant')
  return (
    <div className="page wrap">
      <Breadcrumbs
        label={t('site.breadcrumbs')}
        links={[
          <Link key="home" to="/">
            {t('site.home')}
          </Link>,
          <Link key="hubs" to="/hubs" activeOptions={{ exact: true }}>
            {t('site.hubs')}
          </Link>,
        ]}
        current={<Text words={hub.title} />}
      />
      <div className={hub.picture ? 'project-head project-head-pictured' : 'project-head'}>
        <PageTitle title={<Text words={hub.title} />} lead={<Text words={hub.summary} />} />
        {hub.picture && (
          <img
            className="project-picture"
            {...hub.picture}
            alt={hub.pictureAlt.text}
            lang={hub.pictureAlt.lang}
            dir={getDirection(hub.pictureAlt.lang)}
            width={960}
            height={540}
          />
        )}
      </div>
      <div className="with-side">
        <RichText text={hub.body.text} href={toLocalHref} {...(hub.body.lang ? { lang: hub.body.lang } : {})} />
        {hub.contactEmail && (
          <aside className="stack" aria-labelledby="contact">
            <h2 id="contact" className="side-title">
              {t('hubs.contact')}
            </h2>
            <p className="row row-tight">
              <Icon name="mail" />
              <a href={`mailto:${hub.contactEmail}`}>{hub.contactEmail}</a>
            </p>
          </aside>
        )}
      </div>
      <section className="section" aria-labelledby="projects">
        <SectionHead
          id="projects"
          title={t('hubs.projects-of')}
          link={
            hub.projects > cards.length && (
              <Link to="/projects" search={{ hub: hub.slug }}>
                {t('hubs.all-projects')}
              </Link>
            )
          }
        />
        {cards.length === 0 ? <EmptyState level={3} title={t('hubs.no-projects')} /> : <div className="card-grid">{cards}</div>}
      </section>
    </div>
  )
}
