import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import type { Visibility } from '#app/lib/vocabulary/projects.ts'
import { api } from '#app/shell/api.ts'
import { forgetProject, projectQuery } from '../projects.queries.ts'
import type { Project } from './project-draft.ts'

/** What acts at once when it is saved, unlike a project's content. */
export interface Settings {
  slug: string
  visibility: Visibility
  opensAt: string | null
  closesAt: string | null
  hub: string | null
  topic: string | null
  featured: boolean
}

const toSettings = (project: Project): Settings => ({
  slug: project.slug,
  visibility: project.visibility,
  opensAt: project.opensAt,
  closesAt: project.closesAt,
  hub: project.relationships.hub?.id ?? null,
  topic: project.relationships.topic?.id ?? null,
  featured: project.featured,
})

const findChangedSettings = (from: Settings, to: Settings): (keyof Settings)[] =>
  (Object.keys(to) as (keyof Settings)[]).filter((name) => from[name] !== to[name])

/**
 * A project's settings and their saving. Only changed ones are sent. If somebody else changed the same ones in between, nothing is saved
 * until one of the two versions is chosen.
 */
export function useProjectSettings(project: Project) {
  const queryClient = useQueryClient()
  const { t } = useTranslation('editor')
  const [base, setBase] = useState(() => toSettings(project))
  const [settings, setSettings] = useState(base)
  const [theirs, setTheirs] = useState<Settings>()
  const changed = findChangedSettings(base, settings)

  const save = useMutation({
    mutationFn: async () => {
      // The version also counts changes of the content, which do not concern the settings.
      const current = await queryClient.fetchQuery({ ...projectQuery(project.id), staleTime: 0 })
      const stored = toSettings(current.data)
      const conflicts = findChangedSettings(base, stored).filter((name) => changed.includes(name) && stored[name] !== settings[name])
      setBase(stored)
      setSettings((now) => ({ ...stored, ...Object.fromEntries(changed.map((name) => [name, now[name]])) }))
      if (conflicts.length) {
        setTheirs(stored)
        return
      }
      const saved = await sendSettings(project.id, settings, changed, current.data.meta.lockVersion)
      const fresh = toSettings(saved.data)
      setBase(fresh)
      // Keep what was typed while the save was in progress.
      setSettings((now) => ({ ...fresh, ...Object.fromEntries(findChangedSettings(settings, now).map((name) => [name, now[name]])) }))
      queryClient.setQueryData(projectQuery(project.id).queryKey, saved)
      await forgetProject(queryClient)
    },
  })

  useBlocker({
    shouldBlockFn: () => changed.length > 0 && !window.confirm(t('leave')),
    enableBeforeUnload: changed.length > 0,
  })

  return {
    settings,
    change: (next: Partial<Settings>) => setSettings((now) => ({ ...now, ...next })),
    changed,
    save: () => save.mutate(),
    isSaving: save.isPending,
    error: isAppError(save.error) ? (save.error satisfies AppError) : undefined,
    failed: save.isError,
    /** What somebody else saved, if they changed the same settings. */
    theirs,
    keepMine: () => setTheirs(undefined),
    takeTheirs: () => {
      setSettings((now) => ({ ...now, ...theirs }))
      setTheirs(undefined)
    },
  }
}

function sendSettings(id: string, settings: Settings, changed: readonly (keyof Settings)[], lockVersion: number) {
  const { hub, topic, ...fields } = settings
  const attributes = Object.fromEntries(changed.filter((name) => name in fields).map((name) => [name, settings[name]]))
  const relationships = {
    ...(changed.includes('hub') ? { hub: hub === null ? null : { type: 'hubs' as const, id: hub } } : {}),
    ...(changed.includes('topic') ? { topic: topic === null ? null : { type: 'topics' as const, id: topic } } : {}),
  }
  return api.update(
    'projects',
    id,
    { attributes, ...(Object.keys(relationships).length ? { relationships } : {}) },
    { lockVersion, include: ['hub', 'topic'] },
  )
}
