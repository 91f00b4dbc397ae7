import { useSuspenseQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { VISIBILITIES } from '#app/lib/vocabulary/projects.ts'
import { useMomentTexts } from '#app/shell/use-moment-texts.ts'
import { DateTimeField } from '#app/ui/admin/date-time-field.tsx'
import { CheckInput, SelectInput, TextInput } from '#app/ui/admin/inputs.tsx'
import { projectPlacesQuery } from '../projects.queries.ts'
import type { ProjectDraft } from './project-draft.ts'

interface ProjectSettingsProps {
  draft: ProjectDraft
  change: (next: Partial<ProjectDraft>) => void
  messageOf: (field: string) => string | undefined
  /** May change the slug, which others may have shared. */
  mayMove: boolean
}

const NONE = 'none'

/** When the project runs, who sees it, and which department and topic it belongs to. */
export function ProjectSettings({ draft, change, messageOf, mayMove }: ProjectSettingsProps) {
  const { t } = useTranslation('admin')
  const { opening, closing } = useMomentTexts()
  const { hubs, topics } = useSuspenseQuery(projectPlacesQuery).data
  const renderMomentField = (name: 'opensAt' | 'closesAt') => (
    <DateTimeField
      name={name}
      label={t(`fields.${name}`)}
      value={draft[name] ?? undefined}
      onChange={(at) => change({ [name]: at ?? null })}
      error={messageOf(name)}
      {...(name === 'opensAt' ? opening : closing)}
    />
  )
  const hubOptions = hubs.filter((hub) => hub.meta.can.createProject || hub.id === draft.hub)
  return (
    <div className="admin-form">
      {renderMomentField('opensAt')}
      {renderMomentField('closesAt')}
      <SelectInput
        name="visibility"
        label={t('fields.visibility')}
        hint={t(`visibility-hint.${draft.visibility}`)}
        value={draft.visibility}
        onChange={(visibility) => change({ visibility })}
        options={VISIBILITIES.map((value) => ({ value, label: t(`visibility.${value}`) }))}
      />
      <SelectInput
        name="hub"
        label={t('fields.hub')}
        value={draft.hub ?? NONE}
        error={messageOf('hub')}
        onChange={(hub) => change({ hub: hub === NONE ? null : hub })}
        options={[{ value: NONE, label: t('editor.no-hub') }, ...hubOptions.map((hub) => ({ value: hub.id, label: hub.title }))]}
      />
      <SelectInput
        name="topic"
        label={t('fields.topic')}
        value={draft.topic ?? NONE}
        onChange={(topic) => change({ topic: topic === NONE ? null : topic })}
        options={[{ value: NONE, label: t('editor.no-topic') }, ...topics.map((topic) => ({ value: topic.id, label: topic.title }))]}
      />
      <TextInput
        name="slug"
        label={t('fields.slug')}
        hint={t('editor.slug-hint')}
        value={draft.slug}
        onChange={(slug) => change({ slug })}
        error={messageOf('slug')}
        disabled={!mayMove}
      />
      <CheckInput name="featured" label={t('fields.featured')} value={draft.featured} onChange={(featured) => change({ featured })} />
    </div>
  )
}
