import type { Language } from '#app/lib/languages.ts'
import { getTranslation } from '#app/lib/translated.ts'
import type { Integration } from './integration.server.ts'
import { geocoderIntegration } from './geocoder/geocoder.server.ts'
import { govNotifyIntegration } from './gov-notify/gov-notify.server.ts'
import { intercomIntegration } from './intercom/intercom.server.ts'
import { machineTranslationIntegration } from './machine-translation/machine-translation.server.ts'
import { openCitiesIntegration } from './opencities/opencities.server.ts'
import { openIdConnectIntegration } from './openid-connect/openid-connect.server.ts'
import { segmentIntegration } from './segment/segment.server.ts'
import { sentryIntegration } from './sentry/sentry.server.ts'
import { smtpIntegration } from './smtp/smtp.server.ts'
import { smsSandboxIntegration } from './sms-sandbox/sms-sandbox.server.ts'
import { twilioIntegration } from './twilio/twilio.server.ts'
import { webhooksIntegration } from './webhooks/webhooks.server.ts'

/** The catalogue in display order. Register new integrations only here. */
export const INTEGRATIONS: readonly Integration[] = [
  twilioIntegration,
  govNotifyIntegration,
  smsSandboxIntegration,
  smtpIntegration,
  webhooksIntegration,
  segmentIntegration,
  intercomIntegration,
  sentryIntegration,
  machineTranslationIntegration,
  openIdConnectIntegration,
  openCitiesIntegration,
  geocoderIntegration,
]

/** Its id if it is not in the catalogue. */
export function getIntegrationName(id: string, language: Language): string {
  const name = findIntegration(id)?.manifest.name ?? id
  return typeof name === 'string' ? name : getTranslation(name, language)
}

export const findIntegration = (id: string): Integration | undefined => INTEGRATIONS.find(({ manifest }) => manifest.id === id)
