import { queryOptions } from '@tanstack/react-query'
import { getEmbedSettings } from './embeds.functions.ts'

export const embedSettingsQuery = queryOptions({ queryKey: ['embeds'], queryFn: () => getEmbedSettings() })
