import { useQuery, useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { profileChoicesQuery } from '#app/features/profile-answers/profile-answers.queries.ts'
import { isAgeGroup } from '#app/lib/age-groups.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { getTranslation } from '#app/lib/translated.ts'
import { CONTRIBUTION_STATES, STATUS_CODES } from '#app/lib/vocabulary/contributions.ts'
import { ListChoice, ListFind, ListRecordChoice } from '#app/shell/admin/list-filters.tsx'
import { activitySource, projectSource } from '#app/shell/admin/record-sources.ts'
import type { List } from '#app/shell/admin/use-list.tsx'
import { useSite } from '#app/shell/page-state.tsx'
import { useFormat } from '#app/shell/use-format.ts'
import { useLanguage } from '#app/shell/use-language.ts'
import { FilterBar } from '#app/ui/admin/toolbar.tsx'
import { deskFrameQuery } from '../contributions.queries.ts'
import { DESK_ASSIGNEES, DESK_DAYS, DESK_WAITS, type DeskSearch } from '../desk/desk-search.ts'

/** Search words and filters of the list of contributions. Those of one activity only are offered once it is chosen. */
export function DeskFilters({ list }: { list: List<DeskSearch> }) {
  const { t } = useTranslation('contributions-admin')
  const { t: words } = useTranslation('contributions')
  const { contentLanguages: languages } = useSite()
  const { project, activity } = list.search
  const frame = useSuspenseQuery(deskFrameQuery(activity)).data
  const chosen = frame.activity
  const title = ({ id, title: label }: { id: string; title: string }) => ({ value: id, label })
  const name = ({ id, name: label }: { id: string; name: string }) => ({ value: id, label })
  return (
    <>
      <FilterBar>
        <ListFind list={list} name="q" label={t('desk.search')} button={t('desk.find')} />
        <ListRecordChoice
          list={list}
          name="project"
          label={t('desk.project')}
          any={t('desk.any-project')}
          source={projectSource({ managed: true })}
          also={{ activity: undefined, category: undefined }}
        />
        <ListRecordChoice
          list={list}
          name="activity"
          label={t('desk.activity')}
          any={t('desk.any-activity')}
          source={activitySource(project === undefined ? {} : { project })}
          also={{ category: undefined, status: undefined }}
        />
        <ListChoice
          list={list}
          name="state"
          label={t('queue.state')}
          any={t('desk.any-state')}
          options={CONTRIBUTION_STATES.map((value) => ({ value, label: t(`states.${value}`) }))}
        />
        <ListChoice
          list={list}
          name="status"
          label={t('desk.status')}
          any={t('desk.any-status')}
          options={[...STATUS_CODES.map((value) => ({ value, label: words(`statuses.${value}`) })), ...(chosen?.statuses ?? []).map(title)]}
        />
        {chosen && chosen.categories.length > 0 && (
          <ListChoice
            list={list}
            name="category"
            label={t('desk.category')}
            any={t('desk.any-category')}
            options={chosen.categories.map(title)}
          />
        )}
        {frame.areas.length > 0 && (
          <ListChoice list={list} name="area" label={t('desk.area')} any={t('desk.any-area')} options={frame.areas.map(name)} />
        )}
        <ListChoice
          list={list}
          name="assignee"
          label={t('desk.assignee')}
          any={t('desk.anyone')}
          options={[...DESK_ASSIGNEES.map((value) => ({ value, label: t(`desk.${value}`) })), ...frame.assignees.map(name)]}
        />
        {frame.managesPeople && <AuthorChoice list={list} />}
        {languages.length > 1 && (
          <ListChoice
            list={list}
            name="language"
            label={t('desk.language')}
            any={t('desk.any-language')}
            options={languages.map((value) => ({ value, label: getLanguageName(value) }))}
          />
        )}
        <ListChoice
          list={list}
          name="waits"
          label={t('desk.waits')}
          any={t('desk.any-wait')}
          options={DESK_WAITS.map((value) => ({ value, label: t(`desk.waits-for.${value}`) }))}
        />
        <ListChoice
          list={list}
          name="longer"
          label={t('desk.longer')}
          any={t('desk.any-time')}
          options={DESK_DAYS.map((value) => ({ value, label: t('desk.days', { count: Number(value), number: value }) }))}
        />
      </FilterBar>
      {list.search.profile && <p className="meta">{t('desk.author-hint')}</p>}
    </>
  )
}

/** What the people who wrote the contributions said about themselves. */
function AuthorChoice({ list }: { list: List<DeskSearch> }) {
  const { t } = useTranslation('contributions-admin')
  const { t: admin } = useTranslation('admin')
  const format = useFormat()
  const language = useLanguage()
  const choices = useQuery(profileChoicesQuery).data?.filter(({ sensitive }) => !sensitive) ?? []
  if (choices.length === 0) return null
  const nameOption = ({ value, label }: (typeof choices)[number]['options'][number]) =>
    isAgeGroup(value) && !label ? admin(`age-groups.${value}`) : getTranslation(label, language)
  return (
    <ListChoice
      list={list}
      name="profile"
      label={t('desk.author')}
      any={t('desk.any-author')}
      options={choices.flatMap(({ key, label, options }) =>
        options.map((option) => ({ value: `${key}:${option.value}`, label: `${label}${format.colon}${nameOption(option)}` })),
      )}
    />
  )
}
