import { useState } from 'react'
import { useFirstRecord } from '#app/shell/admin/record-choice.tsx'
import { projectSource } from '#app/shell/admin/record-sources.ts'

/** Projects in which the viewer may create a survey. */
export const OWN_PROJECTS = projectSource({ managed: true })

/** The project of a new survey: the one asked for, else the first that the viewer may change. */
export function useProjectChoice(asked: { id: string } | undefined) {
  const { first, total } = useFirstRecord(OWN_PROJECTS)
  const [chosen, setProject] = useState(asked?.id ?? null)
  return { project: chosen ?? first?.id ?? null, setProject, hasNone: total === 0 && !asked }
}
