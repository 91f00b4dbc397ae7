import { useSuspenseQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { getFormatter } from '#app/lib/format.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { useLanguage } from '#app/shell/use-language.ts'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { DefinitionList } from '#app/ui/definition-list.tsx'
import { Notice } from '#app/ui/notice.tsx'
import type { PersonSearch } from '../activity.schema.ts'
import { personQuery } from '#app/features/accounts/people.queries.ts'
import { PersonActions } from './PersonActions.tsx'
import { PersonActivity } from './PersonActivity.tsx'
import { PersonBadge } from './PersonBadge.tsx'
import { PersonGroups } from './PersonGroups.tsx'
import { PersonNotes } from './PersonNotes.tsx'
import { PersonRoles } from './PersonRoles.tsx'

interface PersonPageProps {
  id: string
  /** Filters and page of the list of what they did. */
  search: PersonSearch
  verifications: ReactNode
  /** What the person said about themselves. */
  about: ReactNode
}

/** One person: details, roles, the team’s notes, activity and the actions available. */
export function PersonPage({ id, search, verifications, about }: PersonPageProps) {
  const { t } = useTranslation('people')
  const site = useSite()
  const viewer = useViewer()
  const format = getFormatter({ language: useLanguage(), timeZone: site.timeZone, region: site.region })
  const { data: person, included } = useSuspenseQuery(personQuery(id)).data
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
              { term: t('person.language'), value: getLanguageName(person.locale) },
              { term: t('person.news'), value: t(person.marketingConsent ? 'yes' : 'no') },
            ]}
          />
        </section>
        {about}
        <PersonRoles person={person} />
        {verifications}
        <PersonGroups person={person} groups={included.filter((one) => one.type === 'groups')} />
      </div>
      <PersonNotes id={id} />
      <PersonActivity id={id} search={search} />
      {viewer?.roleName === 'site_admin' && (
        <p>
          <Link to="/admin/audit" search={{ actor: id }}>
            {t('person.trail')}
          </Link>
        </p>
      )}
    </div>
  )
}
