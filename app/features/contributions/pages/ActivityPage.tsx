import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import { getDirection } from '#app/lib/added-languages.ts'
import type { FormState } from '#app/server/request-context.ts'
import { toLocalHref } from '#app/shell/language-rewrite.ts'
import { useFormat } from '#app/shell/use-format.ts'
import { Button, getButtonClass } from '#app/ui/button.tsx'
import { Meta } from '#app/ui/card.tsx'
import { EmptyState } from '#app/ui/empty-state.tsx'
import { FilterDetails } from '#app/ui/filter-details.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { PageTitle } from '#app/ui/page.tsx'
import { Pagination } from '#app/ui/pagination.tsx'
import { RichText } from '#app/ui/RichText.tsx'
import { Select } from '#app/ui/select.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { Text } from '#app/ui/text.tsx'
import { SearchField } from '#app/ui/text-field.tsx'
import { InvitationForm } from '../parts/InvitationForm.tsx'
import { Photo } from '../photos/Photos.tsx'
import { Translation } from '../translating/Translation.tsx'
import { PlacesMap } from '../places/PlacesMap.tsx'
import { useSizeText } from '../places/use-size-text.ts'
import { ActivityBreadcrumbs, RefusalText, useActivityState, useAuthorName } from '../parts/contribution-parts.tsx'
import { useReactionCounts } from '../parts/use-reaction-counts.ts'
import {
  type ActivityView,
  CONTRIBUTION_SORTS,
  CONTRIBUTIONS_PER_PAGE,
  type ContributionEntry,
  type ContributionListView,
  type NamedOption,
} from '../record/contributions.schema.ts'

const FORMAT_NAMES = { csv: 'CSV', json: 'JSON', geojson: 'GeoJSON' }

/** An activity: what people contributed, to search and filter, and the way to add one's own. */
export function ActivityPage({ list, now, form }: { list: ContributionListView; now: string; form: FormState | null }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const describeState = useActivityState()
  const { activity, search, total, page, pages } = list
  const { kind, state } = activity
  const address = `/projects/${activity.project.slug}/${activity.slug}`
  const { page: _, ...unpaged } = search
  const pageLink: ComponentProps<typeof Pagination>['link'] = (number, children, attributes) => (
    <Link
      to="/projects/$slug/$activity"
      params={{ slug: activity.project.slug, activity: activity.slug }}
      search={number > 1 ? { ...unpaged, page: number } : unpaged}
      {...attributes}
    >
      {children}
    </Link>
  )
  const first = (page - 1) * CONTRIBUTIONS_PER_PAGE + 1
  return (
    <div className="page wrap">
      <ActivityBreadcrumbs activity={activity} />
      <PageTitle title={<Text words={activity.title} />}>
        <Tag kind={state === 'open' ? 'open' : state === 'closed' ? 'closed' : 'plain'}>{describeState(activity, now)}</Tag>
      </PageTitle>
      {activity.intro.text && (
        <div className="activity-intro" lang={activity.intro.lang} dir={getDirection(activity.intro.lang)}>
          <RichText text={activity.intro.text} href={toLocalHref} />
        </div>
      )}
      <WayIn list={list} address={address} />
      {list.invitation && <InvitationForm invitation={list.invitation} form={form} />}
      <ContributionFilters list={list} address={address} />
      {list.map && <PlacesMap list={list} map={list.map} />}
      <h2 className="list-count" id="list">
        {t(`kinds.${kind}.count`, { count: total, number: format.number(total) })}
      </h2>
      {total === 0 ? (
        <NothingHere list={list} address={address} />
      ) : (
        <ol className="contribution-list" start={first}>
          {list.entries.map((entry) => (
            <li key={entry.number} className="card">
              <ContributionCard activity={activity} entry={entry} />
            </li>
          ))}
        </ol>
      )}
      <Pagination
        label={t('pages.label')}
        page={page}
        pages={pages}
        previous={t('pages.previous')}
        next={t('pages.next')}
        pageLabel={(number) => t('pages.page', { number: format.number(number) })}
        count={t('pages.range', {
          first: format.number(first),
          last: format.number(Math.min(total, first + CONTRIBUTIONS_PER_PAGE - 1)),
          total: format.number(total),
        })}
        link={pageLink}
      />
      {activity.openFormats.length > 0 && (
        <p className="row page-foot no-print">
          {t('download')}
          {activity.openFormats.map((format) => (
            <a key={format} href={`${address}/contributions.${format}`}>
              {FORMAT_NAMES[format]}
            </a>
          ))}
        </p>
      )}
      <p className="row page-foot no-print">
        <a href={toLocalHref('/moderation')}>{t('moderation')}</a>
        {activity.listed && <a href={toLocalHref(`${address}/feed.atom`)}>{t('feed')}</a>}
        {activity.hasLedger && <a href={toLocalHref(`${address}/ledger`)}>{t('ledger')}</a>}
      </p>
    </div>
  )
}

function WayIn({ list: { activity, mayPost }, address }: { list: ContributionListView; address: string }) {
  const { t } = useTranslation('contributions')
  const format = useFormat()
  const { state, opensAt } = activity
  if (state === 'closed') return <Notice title={t('state.closed')}>{t('state.closed-text')}</Notice>
  if (state === 'scheduled') return <Notice title={t('state.scheduled-text', { date: opensAt ? format.dateTime(opensAt) : '' })} />
  if (state === 'preview')
    return (
      <Notice kind="warning" title={t('state.preview')}>
        {t('state.preview-text')}
      </Notice>
    )
  if (mayPost === 'invitation') return null
  if (mayPost) return <RefusalText refusal={mayPost} next={address} />
  return (
    <p className="row">
      <a className={getButtonClass()} href={toLocalHref(`${address}/new`)}>
        {t(`kinds.${activity.kind}.add`)}
      </a>
    </p>
  )
}

function ContributionFilters({ list, address }: { list: ContributionListView; address: string }) {
  const { t } = useTranslation('contributions')
  const { t: general } = useTranslation('participant')
  const format = useFormat()
  const { activity, search, statuses } = list
  const isOffered = (options: readonly NamedOption[], value: string | undefined) => options.some((option) => option.value === value)
  const used = [search.category, isOffered(activity.areas, search.area), isOffered(statuses, search.status), search.sort].filter(
    Boolean,
  ).length
  const all = { value: '', label: t('filter.all') }
  return (
    <search className="no-print">
      <form className="project-filters" method="get" action={toLocalHref(address)} key={JSON.stringify(search)}>
        {search.bbox && <input type="hidden" name="bbox" value={search.bbox} />}
        {search.bbox && search.only && <input type="hidden" name="only" value={search.only} />}
        <SearchField name="q" label={t(`kinds.${activity.kind}.search`)} button={t('filter.search')} defaultValue={search.q} />
        <FilterDetails
          label={
            used ? general('projects.filter.more-used', { count: used, number: format.number(used) }) : general('projects.filter.more')
          }
        >
          {activity.categories.length > 0 && (
            <Select
              name="category"
              label={t('filter.category')}
              options={[{ ...all, label: t('filter.all-categories') }, ...activity.categories]}
              defaultValue={search.category ?? ''}
            />
          )}
          {activity.areas.length > 0 && (
            <Select name="area" label={t('filter.area')} options={[all, ...activity.areas]} defaultValue={search.area ?? ''} />
          )}
          {statuses.length > 0 && (
            <Select name="status" label={t('filter.status')} options={[all, ...statuses]} defaultValue={search.status ?? ''} />
          )}
          <Select
            name="sort"
            label={t('filter.sort')}
            options={[
              { value: '', label: t(search.q ? 'sorts.best' : 'sorts.newest') },
              ...CONTRIBUTION_SORTS.filter(
                (sort) => (search.q ?? sort !== 'newest') && (sort !== 'discussed' || activity.tools.replies),
              ).map((sort) => ({
                value: sort,
                label: t(sort === 'supported' && activity.tools.question ? 'question.sort-supported' : `sorts.${sort}`),
              })),
            ]}
            defaultValue={search.sort === 'newest' && !search.q ? '' : (search.sort ?? '')}
          />
          <Button type="submit" kind="secondary">
            {t('filter.apply')}
          </Button>
        </FilterDetails>
      </form>
    </search>
  )
}

function ContributionCard({ activity, entry }: { activity: ActivityView; entry: ContributionEntry }) {
  const { t } = useTranslation('contributions')
  const describeSize = useSizeText()
  const format = useFormat()
  const nameAuthor = useAuthorName()
  const describeReactions = useReactionCounts(activity)
  const { tools } = activity
  const [photo] = entry.photos
  const translated = entry.translation?.shown?.texts
  return (
    <article className="card-body contribution-card">
      <p className="contribution-head">
        <span>{t('number', { number: entry.number })}</span>
        {entry.status && (
          <Tag>
            <Text words={entry.status} />
          </Tag>
        )}
      </p>
      <h3 lang={translated ? undefined : entry.lang} dir={translated ? undefined : getDirection(entry.lang)}>
        <Link
          to="/projects/$slug/$activity/$number"
          params={{ slug: activity.project.slug, activity: activity.slug, number: String(entry.number) }}
        >
          {translated?.['title'] || entry.title}
        </Link>
      </h3>
      {photo && <Photo photo={photo} lang={entry.lang} translated={translated} />}
      {entry.excerpt &&
        (translated?.['body'] ? (
          <p>{translated['body']}</p>
        ) : (
          <p lang={entry.lang} dir={getDirection(entry.lang)}>
            {entry.excerpt}
          </p>
        ))}
      <Translation
        text={entry.translation}
        about={t('number', { number: entry.number })}
        form={null}
        action={toLocalHref(`/projects/${activity.project.slug}/${activity.slug}/${entry.number}`)}
      />
      <Meta
        items={[
          nameAuthor(entry.author),
          <time key="at" dateTime={entry.publishedAt}>
            {format.date(entry.publishedAt)}
          </time>,
          ...(entry.drawn ? [describeSize(entry.drawn)] : []),
          ...(entry.place ? [entry.place] : []),
          ...entry.categories.map((category) => <Text key={category.text} words={category} />),
          ...(tools.reactions.length > 0 ? describeReactions(entry) : []),
          ...(tools.replies && entry.replies > 0 ? [t('replies', { count: entry.replies, number: format.number(entry.replies) })] : []),
        ]}
      />
      {entry.answer && (
        <p className="contribution-answered">
          {t('detail.latest-answer')}
          {format.colon}
          <span lang={entry.answer.text.lang} dir={getDirection(entry.answer.text.lang)}>
            {entry.answer.text.text || entry.answer.status?.text}
          </span>
        </p>
      )}
      {!entry.answer && entry.answered === 'private' && <p className="contribution-answered">{t('question.answered-privately')}</p>}
    </article>
  )
}

function NothingHere({ list: { activity, search }, address }: { list: ContributionListView; address: string }) {
  const { t } = useTranslation('contributions')
  const isNarrowed = Boolean(search.q ?? search.category ?? search.area ?? search.status ?? search.bbox)
  if (!isNarrowed)
    return (
      <EmptyState title={t(`kinds.${activity.kind}.none`)}>{activity.state === 'open' && t(`kinds.${activity.kind}.none-text`)}</EmptyState>
    )
  return (
    <EmptyState
      title={t('filter.nothing')}
      action={
        <a href={toLocalHref(address)} className={getButtonClass({ kind: 'secondary' })}>
          {t('filter.clear')}
        </a>
      }
    >
      {t('filter.nothing-text')}
    </EmptyState>
  )
}
