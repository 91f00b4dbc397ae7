import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { areasQuery } from '#app/features/areas/areas.queries.ts'
import { getLanguageName } from '#app/lib/language-names.ts'
import { RecordChoice, useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { groupSource } from '#app/shell/admin/record-sources.ts'
import { useSite, useViewer } from '#app/shell/page-state.tsx'
import { SelectInput } from '#app/ui/admin/inputs.tsx'
import { topicsQuery } from '../campaigns.queries.ts'
import type { Audience, AudienceFilter, AudienceNames } from '../campaigns.schema.ts'

const ANY_VALUE = 'any'
const GROUPS = groupSource()

interface AudienceFieldsProps {
  audience: Audience
  /** Names of the saved audience's filters. */
  chosen: AudienceNames
  onChange: (audience: Audience) => void
  error: string | undefined
}

/** Audience filters of a campaign: language, topic, area and group. */
export function AudienceFields({ audience, chosen, onChange, error }: AudienceFieldsProps) {
  const { t } = useTranslation('sms')
  const { t: errors } = useTranslation('errors')
  const site = useSite()
  // Project administrators manage no participants, so they have no groups to choose from.
  const manages = useViewer()?.roleName !== 'project_admin'
  const topics = useQuery(topicsQuery).data?.data ?? []
  const areas = useQuery(areasQuery).data ?? []
  const hasGroups = (useFirstRecord(GROUPS, manages).total ?? 0) > 0
  const isGroupGone = audience.group !== undefined && chosen.group === null
  const groupError = isGroupGone ? errors('codes.group-gone') : error
  /** All options plus the saved choice, if it is not among them, so that the field never looks unfiltered. */
  const buildChoice = (thing: AudienceFilter, all: readonly { value: string; label: string }[]) => {
    const id = audience[thing]
    const besides = id !== undefined && !all.some(({ value }) => value === id)
    const gone = besides && chosen[thing] === null
    const label = gone ? t(`draft.gone-${thing}`) : chosen[thing] || t('draft.unseen')
    return {
      value: id ?? ANY_VALUE,
      onChange: (value: string) => updateAudience(thing, value),
      options: [{ value: ANY_VALUE, label: t(`draft.any-${thing}`) }, ...all, ...(besides ? [{ value: id, label }] : [])],
      error: gone ? errors(`codes.${thing}-gone`) : undefined,
    }
  }
  const updateAudience = (name: keyof Audience, value: string | null) => {
    const { [name]: _, ...rest } = audience
    onChange(value === ANY_VALUE || value === null ? rest : { ...rest, [name]: value })
  }
  return (
    <>
      <SelectInput<string>
        name="language"
        label={t('draft.language')}
        value={audience.language ?? ANY_VALUE}
        onChange={(value) => updateAudience('language', value)}
        options={[
          { value: ANY_VALUE, label: t('draft.any-language') },
          ...[...new Set([...site.contentLanguages, ...(audience.language ? [audience.language] : [])])].map((value) => ({
            value,
            label: getLanguageName(value),
          })),
        ]}
      />
      {(topics.length > 0 || audience.topic) && (
        <SelectInput<string>
          name="topic"
          label={t('draft.topic')}
          hint={t('draft.topic-hint')}
          {...buildChoice(
            'topic',
            topics.map(({ id, title }) => ({ value: id, label: title })),
          )}
        />
      )}
      {(areas.length > 0 || audience.area) && (
        <SelectInput<string>
          name="area"
          label={t('draft.area')}
          hint={t('draft.area-hint')}
          {...buildChoice(
            'area',
            areas.map(({ id, name }) => ({ value: id, label: name })),
          )}
        />
      )}
      {(hasGroups || audience.group) && (
        <RecordChoice
          name="group"
          label={t('draft.group')}
          source={GROUPS}
          value={audience.group ?? null}
          none={t('draft.any-group')}
          unknown={isGroupGone ? t('draft.gone-group') : chosen.group || t('draft.unseen')}
          disabled={!manages}
          onChange={(group) => updateAudience('group', group)}
          error={groupError}
        />
      )}
    </>
  )
}
