import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'
import { type AppError, isAppError } from '#app/lib/app-error.ts'
import { api } from '#app/shell/api.ts'
import { forgetProject, projectQuery } from '../projects.queries.ts'
import { findChangedFields, toProjectDraft, type Project, type ProjectDraft } from './project-draft.ts'

/**
 * A project's draft and its saving. Only changed fields are sent. If somebody else saved in between, `conflict` names the fields that both
 * changed; their other changes are taken over, and the local ones stay.
 */
export function useProjectDraft(project: Project) {
  const queryClient = useQueryClient()
  const [base, setBase] = useState({ draft: toProjectDraft(project), lockVersion: project.meta.lockVersion })
  const [draft, setDraft] = useState(base.draft)
  const [theirs, setTheirs] = useState<ProjectDraft>()
  const changed = findChangedFields(base.draft, draft)

  const save = useMutation({
    mutationFn: async () => {
      const { hub, topic, ...fields } = draft
      const attributes = Object.fromEntries(changed.filter((name) => name in fields).map((name) => [name, draft[name]]))
      const relationships = {
        ...(changed.includes('hub') ? { hub: hub === null ? null : { type: 'hubs' as const, id: hub } } : {}),
        ...(changed.includes('topic') ? { topic: topic === null ? null : { type: 'topics' as const, id: topic } } : {}),
      }
      return api.update(
        'projects',
        project.id,
        { attributes, ...(Object.keys(relationships).length ? { relationships } : {}) },
        { lockVersion: base.lockVersion, include: ['hub', 'topic'] },
      )
    },
    onSuccess: async (saved) => {
      const fresh = toProjectDraft(saved.data)
      setBase({ draft: fresh, lockVersion: saved.data.meta.lockVersion })
      // Keep what was typed while the save was in progress.
      setDraft((now) => ({ ...fresh, ...Object.fromEntries(findChangedFields(draft, now).map((name) => [name, now[name]])) }))
      setTheirs(undefined)
      queryClient.setQueryData(projectQuery(project.id).queryKey, saved)
      await forgetProject(queryClient)
    },
    onError: async (error) => {
      if (!isAppError(error, 'stale')) return
      const current = await queryClient.fetchQuery({ ...projectQuery(project.id), staleTime: 0 })
      const other = toProjectDraft(current.data)
      const both = findChangedFields(base.draft, other).filter((name) => changed.includes(name))
      setDraft((now) => ({ ...other, ...Object.fromEntries(findChangedFields(base.draft, now).map((name) => [name, now[name]])) }))
      setBase({ draft: other, lockVersion: current.data.meta.lockVersion })
      setTheirs(both.length ? other : undefined)
    },
  })

  useBlocker({ shouldBlockFn: () => changed.length > 0 && !window.confirm(getLeaveQuestion()), enableBeforeUnload: changed.length > 0 })

  return {
    draft,
    change: (next: Partial<ProjectDraft>) => setDraft((now) => ({ ...now, ...next })),
    changed,
    save: () => save.mutate(),
    saving: save.isPending,
    error: save.error && isAppError(save.error) ? (save.error satisfies AppError) : save.error ? undefined : null,
    failed: save.isError,
    /** The version somebody else saved, if it changed the same fields. */
    theirs,
    keepMine: () => setTheirs(undefined),
    takeTheirs: () => {
      setDraft((now) => ({ ...now, ...theirs }))
      setTheirs(undefined)
    },
  }
}

/** Asked before leaving with unsaved changes; the page contains the translated text. */
const getLeaveQuestion = () => document.getElementById('leave-question')?.textContent ?? ''
