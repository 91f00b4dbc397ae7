import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { groupsQuery } from '#app/features/accounts/people.queries.ts'
import { areasQuery } from '#app/features/areas/areas.queries.ts'
import { LANGUAGE_NAMES } from '#app/lib/languages.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { topicsQuery } from '../campaigns.queries.ts'
import type { Audience } from '../campaigns.schema.ts'

const ANY = 'any'

interface AudienceFieldsProps {
  audience: Audience
  onChange: (audience: Audience) => void
  error: string | undefined
}

/** What narrows a campaign's people: their language, a topic they took part in, where they live, a group. */
export function AudienceFields({ audience, onChange, error }: AudienceFieldsProps) {
  const { t } = useTranslation('sms')
  const site = useSite()
  // Who manages nobody has no groups to choose from.
  const manages = useViewer()?.roleName !== 'project_admin'
  const topics = useQuery(topicsQuery).data?.data ?? []
  const areas = useQuery(areasQuery).data ?? []
  const groups = useQuery({ ...groupsQuery, enabled: manages }).data?.data ?? []
  const set = (name: keyof Audience, value: string) => {
    const { [name]: _, ...rest } = audience
    onChange(value === ANY ? rest : { ...rest, [name]: value })
  }
  return (
    <>
      <SelectInput<string>
        name="language"
        label={t('draft.language')}
        value={audience.language ?? ANY}
        onChange={(value) => set('language', value)}
        options={[
          { value: ANY, label: t('draft.any-language') },
          ...site.languages.map((value) => ({ value, label: LANGUAGE_NAMES[value] })),
        ]}
      />
      {(topics.length > 0 || audience.topic) && (
        <SelectInput<string>
          name="topic"
          label={t('draft.topic')}
          hint={t('draft.topic-hint')}
          value={audience.topic ?? ANY}
          onChange={(value) => set('topic', value)}
          options={[{ value: ANY, label: t('draft.any-topic') }, ...topics.map(({ id, title }) => ({ value: id, label: title }))]}
        />
      )}
      {(areas.length > 0 || audience.area) && (
        <SelectInput<string>
          name="area"
          label={t('draft.area')}
          hint={t('draft.area-hint')}
          value={audience.area ?? ANY}
          onChange={(value) => set('area', value)}
          options={[{ value: ANY, label: t('draft.any-area') }, ...areas.map(({ id, name }) => ({ value: id, label: name }))]}
        />
      )}
      {(groups.length > 0 || audience.group) && (
        <SelectInput<string>
          name="group"
          label={t('draft.group')}
          value={audience.group ?? ANY}
          onChange={(value) => set('group', value)}
          options={[{ value: ANY, label: t('draft.any-group') }, ...groups.map(({ id, name }) => ({ value: id, label: name }))]}
          error={error}
        />
      )}
    </>
  )
}
