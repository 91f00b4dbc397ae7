import { useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { surveyProjectsQuery } from '../../surveys.queries.ts'

/** The projects a survey can be added to. The one asked for is always among them, also on a site with more than the list loads. */
export function useProjectChoice(asked: { id: string; title: string } | undefined) {
  const listed = useSuspenseQuery(surveyProjectsQuery).data
  const projects = !asked || listed.some(({ id }) => id === asked.id) ? listed : [asked, ...listed]
  const [project, setProject] = useState(asked?.id ?? projects[0]?.id ?? '')
  return { project, setProject, options: projects.map(({ id, title }) => ({ value: id, label: title })) }
}
