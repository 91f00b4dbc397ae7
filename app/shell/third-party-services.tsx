import { useLocation, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { buildChatFlags, canShowChat } from './chat-flags.ts'
import { isLivePreview, isSharedDraft } from './live-preview.ts'
import { usePageState } from './page-state.tsx'
import { reportError, setErrorReporter } from './report-error.ts'

const SupportChat = lazy(() => import('./support-chat.tsx'))

/** Chat, analytics and error reports, each in its own lazily loaded file. */
export default function ThirdPartyServices() {
  // Nobody was asked inside another site's page, and consent given elsewhere does not count there.
  const isEmbed = useLocation({ select: ({ pathname }) => pathname.startsWith('/embed/') })
  const isShared = useLocation({ select: ({ searchStr }) => isSharedDraft(searchStr) })
  if (isEmbed || isShared) return null
  return (
    <>
      <ErrorReports />
      <Analytics />
      <Chat />
    </>
  )
}

function Chat() {
  const state = usePageState()
  const { i18n } = useTranslation()
  const path = useLocation({ select: ({ pathname }) => pathname })
  const { features, siteFeatures, currentSite, librariesDetails, opencitiesIntegration } = state
  const flags = useMemo(
    () => buildChatFlags({ features, siteFeatures, currentSite, librariesDetails, opencitiesIntegration }),
    [features, siteFeatures, currentSite, librariesDetails, opencitiesIntegration],
  )
  const { user } = state.currentUser
  if (!librariesDetails.intercom || !canShowChat(user, state.hideIntercom, path)) return null
  return (
    <Suspense>
      <SupportChat settings={librariesDetails.intercom} user={user} site={currentSite.site} flags={flags} language={i18n.language} />
    </Suspense>
  )
}

/** On for every page except live previews, if at least one of the two analytics features is on. */
function Analytics() {
  const { publicConfig, features, currentUser, currentSite } = usePageState()
  const path = useRouterState({ select: ({ resolvedLocation, location }) => (resolvedLocation ?? location).pathname })
  const { segment_analytics_admin: admin, segment_analytics_participant: participant } = features.features
  const segment = (admin.enabled || participant.enabled) && !isLivePreview(path) ? publicConfig.segment : null
  useEffect(() => {
    if (!segment) return
    let left = false
    const trackPageView = async () => {
      const analytics = await import('./analytics.ts')
      if (left) return
      analytics.startAnalytics(segment, currentUser.user, currentSite.site)
      analytics.trackPage(path, document.title)
    }
    void trackPageView()
    return () => {
      left = true
    }
  }, [segment, path, currentUser, currentSite])
  return null
}

function ErrorReports() {
  const router = useRouter()
  const { sentry } = usePageState().publicConfig
  useEffect(() => {
    if (!sentry) return
    const reportEarlyError = (happened: ErrorEvent) => reportError(happened.error)
    const reportEarlyRejection = (happened: PromiseRejectionEvent) => reportError(happened.reason)
    const ignoreEarly = () => {
      window.removeEventListener('error', reportEarlyError)
      window.removeEventListener('unhandledrejection', reportEarlyRejection)
    }
    const startReporting = async () => {
      const reporting = await import('./error-reporting.ts')
      ignoreEarly()
      reporting.startErrorReporting(sentry, router)
      setErrorReporter(reporting.captureException)
    }
    window.addEventListener('error', reportEarlyError)
    window.addEventListener('unhandledrejection', reportEarlyRejection)
    void startReporting()
    return ignoreEarly
  }, [sentry, router])
  return null
}
