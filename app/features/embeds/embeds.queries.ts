import { queryOptions } from '@tanstack/react-query'
import { getEmbeddable, getEmbedSettings } from './embeds.functions.ts'

export const embedSettingsQuery = queryOptions({ queryKey: ['embeds'], queryFn: () => getEmbedSettings() })

/** What is embedded by a path of the site, or null. */
export const embeddableQuery = (path: string) =>
  queryOptions({ queryKey: ['embeds', 'one', path], queryFn: ({ signal }) => getEmbeddable({ data: { path }, signal }) })
