import { ROLES } from '#app/lib/roles.ts'
import { isLivePreview } from './live-preview.ts'
import type { CurrentUser } from './page-state.schema.ts'
import type { usePageState } from './page-state.tsx'

type PageState = ReturnType<typeof usePageState>

/** What support staff see about the site in the chat widget. */
export function buildChatFlags(
  state: Pick<PageState, 'features' | 'siteFeatures' | 'currentSite' | 'librariesDetails' | 'opencitiesIntegration'>,
) {
  const { features } = state.features
  return {
    marketplace_sms_integration:
      features.marketplace_sms_integration.enabled && (state.librariesDetails.intercom?.smsIntegrationEnabled ?? false),
    whitelist_embed: state.siteFeatures.siteFeatures.features.includes('whitelist-embed'),
    show_revised_survey: features.show_revised_survey.enabled,
    published_new_homepage_revisions: state.currentSite.site.publishedHomePageRevisions.length > 0,
    published_appearance_editor_revisions: (state.librariesDetails.intercom?.publishedAppearanceRevisions ?? 0) > 0,
    has_city_connector: state.opencitiesIntegration.opencitiesMeta.total > 0,
  }
}
export type ChatFlags = ReturnType<typeof buildChatFlags>

/** The widget is only for administrators, and not for pages that hide it or live previews. */
export const canShowChat = (user: CurrentUser | null, hideIntercom: boolean, path: string): user is CurrentUser =>
  user !== null && ROLES.some((role) => role === user.roleName) && !hideIntercom && !isLivePreview(path)
