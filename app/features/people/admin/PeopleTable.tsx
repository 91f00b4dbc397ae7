import { useQuery } from '@tanstack/react-query'
import { Link, linkOptions } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listHiddenColumns, ListScreen } from '#app/shell/admin/list-screen.tsx'
import { useList } from '#app/shell/admin/use-list.tsx'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { useViewer } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import type { Column } from '#app/ui/admin/data-table.tsx'
import { PageHeader } from '#app/ui/admin/page-header.tsx'
import { useChosenRows } from '#app/ui/admin/row-selection.tsx'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { PEOPLE_COLUMNS_HIDDEN_AT_FIRST, PEOPLE_PER_PAGE, type PeopleSearch } from '#app/features/accounts/people-search.schema.ts'
import { profileAnswersQuery } from '#app/features/profile/profile.queries.ts'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { participationsQuery } from '../people.queries.ts'
import { peopleQuery } from '#app/features/accounts/people.queries.ts'
import { GiveRole } from './GiveRole.tsx'
import { PeopleFilters } from './PeopleFilters.tsx'
import { PersonBadge } from './PersonBadge.tsx'
import { type PeopleTableRow as Row, usePeopleBulk } from './use-people-bulk.tsx'

const OWN_HUBS = hubSource({ mine: true })

interface PeopleTableProps {
  search: PeopleSearch
  /** The `SavedViews` of this table. */
  views: ReactNode
}

/** Everybody the viewer manages. */
export function PeopleTable({ search, views }: PeopleTableProps) {
  const { t } = useTranslation('people')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const [inviting, setInviting] = useState(false)
  const list = useList(search, (next: PeopleSearch) => linkOptions({ to: '/admin/people', search: next }))
  const query = useQuery(peopleQuery(search))
  const people = query.data?.data ?? []
  const included = query.data?.included ?? []
  const hidden = listHiddenColumns(search, PEOPLE_COLUMNS_HIDDEN_AT_FIRST)
  const choices = useQuery(profileChoicesQuery).data?.filter(({ sensitive }) => !sensitive) ?? []
  const showsAnswers = choices.some(({ key }) => !hidden.includes(`about.${key}`))
  const answers = useQuery(profileAnswersQuery(showsAnswers ? people.map(({ id }) => id) : [])).data ?? []
  const showsParticipation = ['projects', 'firstParticipationAt', 'lastParticipationAt'].some((column) => !hidden.includes(column))
  const participations = useQuery(participationsQuery(showsParticipation ? people.map(({ id }) => id) : [])).data
  const findParticipation = (row: Row) => participations?.find(({ userId }) => userId === row.id)
  const showDate = (at: Date | undefined) => (at ? format.shortDate(at) : '–')
  const chosen = useChosenRows(people, (row) => row.id)
  // A new site has no departments yet, and its administrators invite colleagues all the same.
  const isSiteAdmin = useViewer()?.roleName === 'site_admin'
  const invites = (useFirstRecord(OWN_HUBS).total ?? 0) > 0 || isSiteAdmin
  // The file has the columns that were chosen.
  const { page: _page, sort: _sort, ...filters } = search
  const file = new URLSearchParams(filters).toString()
  const bulk = usePeopleBulk(chosen, file)
  const columns: readonly Column<Row>[] = [
    {
      id: 'login',
      head: t('table.name'),
      names: true,
      sortable: true,
      cell: (row) => (
        <Link to="/admin/people/$id" params={{ id: row.id }}>
          {row.login}
        </Link>
      ),
    },
    {
      id: 'email',
      head: t('table.email'),
      sortable: true,
      underName: (row) => <span className="breaks-anywhere">{row.email}</span>,
      cell: (row) => row.email,
    },
    {
      id: 'role',
      head: t('table.role'),
      underName: (row) => row.roleName !== 'participant' && admin(`roles.${row.roleName}`),
      cell: (row) => (row.roleName === 'participant' ? '–' : admin(`roles.${row.roleName}`)),
    },
    {
      id: 'status',
      head: t('table.status'),
      underName: (row) => row.status !== 'active' && <PersonBadge status={row.status} />,
      cell: (row) => <PersonBadge status={row.status} />,
    },
    { id: 'createdAt', head: t('table.joined'), sortable: true, secondary: true, cell: (row) => format.shortDate(row.createdAt) },
    {
      id: 'lastSeenAt',
      head: t('table.seen'),
      sortable: true,
      secondary: true,
      cell: (row) => (row.lastSeenAt ? format.shortDate(row.lastSeenAt) : '–'),
    },
    {
      id: 'projects',
      head: t('table.projects'),
      secondary: true,
      align: 'end',
      cell: (row) => (participations ? format.number(findParticipation(row)?.projects ?? 0) : '–'),
    },
    {
      id: 'firstParticipationAt',
      head: t('table.first-participation'),
      secondary: true,
      cell: (row) => showDate(findParticipation(row)?.firstAt),
    },
    {
      id: 'lastParticipationAt',
      head: t('table.last-participation'),
      secondary: true,
      cell: (row) => showDate(findParticipation(row)?.lastAt),
    },
    { id: 'language', head: t('table.language'), secondary: true, cell: (row) => getLanguageName(row.locale) },
    {
      id: 'groups',
      head: t('groups.title'),
      secondary: true,
      cell: (row) => {
        const linked = row.relationships.groups ?? []
        const names = included.flatMap((one) => (one.type === 'groups' && linked.some(({ id }) => id === one.id) ? [one.name] : []))
        return names.length > 0 ? format.list(names) : '–'
      },
    },
    {
      id: 'news',
      head: t('table.news'),
      secondary: true,
      cell: (row) => t(row.marketingConsent ? 'yes' : 'no'),
    },
    ...choices.map(({ key, label }) => ({
      id: `about.${key}`,
      head: label,
      secondary: true,
      cell: (row: Row) => answers.find(({ question, relationships }) => question === key && relationships.user?.id === row.id)?.text ?? '–',
    })),
  ]
  return (
    <>
      <PageHeader
        title={admin('nav.people')}
        actions={
          <>
            <Link to="/admin/people/questions" className={getButtonClass({ kind: 'secondary' })}>
              {t('questions.open')}
            </Link>
            {isSiteAdmin && (
              <Link to="/admin/people/populations" className={getButtonClass({ kind: 'secondary' })}>
                {t('populations')}
              </Link>
            )}
            <Link to="/admin/people/groups" className={getButtonClass({ kind: 'secondary' })}>
              {t('groups.title')}
            </Link>
            {isSiteAdmin && (
              <>
                <Link to="/admin/people/eligibility" className={getButtonClass({ kind: 'secondary' })}>
                  {t('eligibility')}
                </Link>
                <Link to="/admin/people/import" className={getButtonClass({ kind: 'secondary' })}>
                  {t('contacts.open')}
                </Link>
              </>
            )}
            <a className={getButtonClass({ kind: 'secondary' })} href={`/admin/people.csv${file && `?${file}`}`}>
              {t('table.export')}
            </a>
            {invites && <Button onClick={() => setInviting(true)}>{t('invite.open')}</Button>}
          </>
        }
      />
      <ListScreen
        list={list}
        caption={admin('nav.people')}
        columns={columns}
        query={query}
        pageSize={PEOPLE_PER_PAGE}
        sort="-createdAt"
        hides
        hiddenAtFirst={PEOPLE_COLUMNS_HIDDEN_AT_FIRST}
        filters={<PeopleFilters list={list} />}
        views={views}
        selection={{
          selected: chosen.ids,
          onChange: chosen.onChange,
          allLabel: t('table.select-all'),
          rowLabel: (row) => t('table.select', { name: row.login }),
          summary: (count) => t('table.selected', { count, number: format.number(count) }),
          clearLabel: t('table.clear'),
          actions: bulk.actions,
        }}
        noMatch={{ title: t('table.none'), all: t('table.all') }}
      />
      {bulk.dialog}
      {inviting && <GiveRole onClose={() => setInviting(false)} />}
    </>
  )
}
