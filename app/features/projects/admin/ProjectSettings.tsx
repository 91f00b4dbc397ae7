import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { VISIBILITIES } from '#app/lib/vocabulary/projects.ts'
import { RecordChoice } from '#app/shell/admin/record-choice.tsx'
import { hubSource } from '#app/shell/admin/record-sources.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { projectTopicsQuery } from '../projects.queries.ts'
import type { Settings } from './use-project-settings.ts'

interface ProjectSettingsProps {
  settings: Settings
  change: (next: Partial<Settings>) => void
  messageOf: (field: string) => string | undefined
  /** May change the slug, which others may have shared. */
  mayMove: boolean
}

/** Those in which the viewer may create projects. */
const HUBS = hubSource({ mine: true })
const NONE = 'none'

/** When the project runs, who sees it, and which department and topic it belongs to. */
export function ProjectSettings({ settings, change, messageOf, mayMove }: ProjectSettingsProps) {
  const { t } = useTranslation('admin')
  const { opening, closing } = useMomentTexts()
  const topics = useSuspenseQuery(projectTopicsQuery).data
  const renderMomentField = (name: 'opensAt' | 'closesAt') => (
    <DateTimeField
      name={name}
      label={t(`fields.${name}`)}
      value={settings[name] ?? undefined}
      onChange={(at) => change({ [name]: at ?? null })}
      error={messageOf(name)}
      {...(name === 'opensAt' ? opening : closing)}
    />
  )
  return (
    <div className="admin-form">
      {renderMomentField('opensAt')}
      {renderMomentField('closesAt')}
      <SelectInput
        name="visibility"
        label={t('fields.visibility')}
        hint={t(`visibility-hint.${settings.visibility}`)}
        value={settings.visibility}
        onChange={(visibility) => change({ visibility })}
        options={VISIBILITIES.map((value) => ({ value, label: t(`visibility.${value}`) }))}
      />
      <RecordChoice
        name="hub"
        label={t('fields.hub')}
        source={HUBS}
        value={settings.hub ?? null}
        none={t('editor.no-hub')}
        error={messageOf('hub')}
        onChange={(hub) => change({ hub })}
      />
      <SelectInput
        name="topic"
        label={t('fields.topic')}
        value={settings.topic ?? NONE}
        onChange={(topic) => change({ topic: topic === NONE ? null : topic })}
        options={[{ value: NONE, label: t('editor.no-topic') }, ...topics.map((topic) => ({ value: topic.id, label: topic.title }))]}
      />
      <TextInput
        name="slug"
        label={t('fields.slug')}
        hint={t('editor.slug-hint')}
        value={settings.slug}
        onChange={(slug) => change({ slug })}
        error={messageOf('slug')}
        disabled={!mayMove}
      />
      <CheckInput name="featured" label={t('fields.featured')} value={settings.featured} onChange={(featured) => change({ featured })} />
    </div>
  )
}
