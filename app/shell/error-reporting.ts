import { init, tanstackRouterBrowserTracingIntegration } from '@sentry/react'
import type { AnyRouter } from '@tanstack/react-router'
import type { PublicConfig } from '#app/features/libraries/libraries.schema.ts'
import { redactReport } from './redact-report.ts'

export { captureException } from '@sentry/react'

/** All code for Sentry: loaded lazily, and only if configured. Samples every trace; sends nothing that anybody typed. */
export function startErrorReporting(sentry: NonNullable<PublicConfig['sentry']>, router: AnyRouter): void {
  init({
    dsn: sentry.dsn,
    ...(sentry.tunnel ? { tunnel: sentry.tunnel } : {}),
    tracesSampleRate: 1,
    dataCollection: { userInfo: false, cookies: false, httpHeaders: false, httpBodies: [], urlQueryParams: false },
    integrations: [tanstackRouterBrowserTracingIntegration(router)],
    beforeBreadcrumb: redactReport,
    beforeSend: redactReport,
    beforeSendTransaction: redactReport,
    beforeSendSpan: redactReport,
  })
}
