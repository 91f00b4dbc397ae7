import { useTranslation } from 'react-i18next'
import type { Ref } from '#app/lib/api-client/resource-types.ts'

export interface Placed {
  relationships: { project?: Ref | null; hub?: Ref | null }
}

/** A document of campaigns that includes their places. */
export interface CampaignDocument {
  included: readonly (Ref & { readonly title?: string })[]
}

/** Names the place a campaign is for: its project, its department, or the whole site. */
export function usePlaceName(): (document: CampaignDocument, campaign: Placed) => string {
  const { t } = useTranslation('sms')
  return ({ included }, { relationships: { project, hub } }) =>
    [project, hub].map((place) => included.find(({ type, id }) => type === place?.type && id === place.id)?.title).find(Boolean) ??
    t('place.site')
}
