import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { activityQuery } from '../people.queries.ts'
import { personQuery } from '#app/features/accounts/people.queries.ts'
import { PersonActions } from './PersonActions.tsx'
import { PersonBadge } from './PersonBadge.tsx'
import { PersonGroups } from './PersonGroups.tsx'
import { PersonRoles } from './PersonRoles.tsx'

interface PersonPageProps {
  id: string
  verifications: ReactNode
  /** What the person said about themselves. */
  about: ReactNode
}

/** One person: details, roles, activity and the actions available. */
export function PersonPage({ id, verifications, about }: PersonPageProps) {
  const { t } = useTranslation('people')
  const site = useSite()
  const viewer = useViewer()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const { data: person, included } = useSuspenseQuery(personQuery(id)).data
  const activity = useSuspenseQuery(activityQuery(id)).data
  return (
    <div className="admin-stack">
      <PageHeader
        title={person.login}
        status={<PersonBadge status={person.status} />}
        meta={person.email}
        actions={<PersonActions person={person} mayExport={viewer?.roleName === 'site_admin'} />}
      />
      {person.status === 'blocked' && person.blockedAt && (
        <Notice kind="warning" title={t('person.blocked', { when: format.dateTime(person.blockedAt) })}>
          {person.blockedReason}
        </Notice>
      )}
      <div className="admin-columns">
        <section className="admin-panel">
          <h2>{t('person.facts')}</h2>
          <DefinitionList
            items={[
              { term: t('table.joined'), value: format.shortDate(person.createdAt) },
              { term: t('table.seen'), value: person.lastSeenAt ? format.dateTime(person.lastSeenAt) : t('person.never') },
              { term: t('person.language'), value: LANGUAGE_NAMES[person.locale] },
              { term: t('person.news'), value: t(person.marketingConsent ? 'yes' : 'no') },
            ]}
          />
        </section>
        {about}
        <PersonRoles person={person} />
        {verifications}
        <PersonGroups person={person} groups={included.filter((one) => one.type === 'groups')} />
        <section className="admin-panel">
          <h2>{t('person.activity')}</h2>
          {activity.length === 0 && <p>{t('person.no-activity')}</p>}
          <ul className="admin-list">
            {activity.map((one, index) => (
              <li key={index}>
                <span>
                  {t(`person.did.${one.kind}`)}{' '}
                  <Link to="/admin/projects/$id" params={{ id: one.project.id }}>
                    {one.project.title}
                  </Link>
                  {one.survey && ` · ${one.survey}`}
                </span>
                <time dateTime={new Date(one.at).toISOString()}>{format.shortDate(one.at)}</time>
              </li>
            ))}
          </ul>
          {viewer?.roleName === 'site_admin' && (
            <p>
              <Link to="/admin/audit" search={{ actor: id }}>
                {t('person.trail')}
              </Link>
            </p>
          )}
        </section>
      </div>
    </div>
  )
}
