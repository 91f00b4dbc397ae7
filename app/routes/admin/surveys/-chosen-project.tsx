import { useSuspenseQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ReadOnlyProject } from '#app/features/projects/admin/ReadOnlyProject.tsx'
import { projectQuery } from '#app/features/projects/projects.queries.ts'

interface ChosenProjectProps {
  id: string
  children: (project: { id: string; title: string }) => ReactNode
}

/** A form for the project that the address names. Someone who may not edit that project reads whose it is instead. */
export function ChosenProject({ id, children }: ChosenProjectProps) {
  const { data: document } = useSuspenseQuery(projectQuery(id))
  return document.data.meta.can.update ? children(document.data) : <ReadOnlyProject document={document} />
}
